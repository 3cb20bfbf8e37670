import { render } from 'preact';
import { App } from './shell/app';
import { applyLook } from './shell/look';

applyLook();
render(<App />, document.getElementById('console')!);
