import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Shape } from '../../../../templates/runtime/model/fields/shape';
import type { Failure } from '../../../../templates/runtime/model/problem';
import { useLoad } from '../../data/use-load';
import type { Notation } from '../../data/yaml';
import { Loading } from '../../parts/loading';
import { ProblemBox } from '../../parts/problem';
import type { Work } from '../work/unsaved';
import type { CodeEditor } from './code-editor';

type Code = typeof import('./code-editor');

interface TextPaneProps {
  work: Work;
  notation: Notation;
  shape: Shape;
  failures: Failure[];
  isBusy: boolean;
  onChange: (changes: Partial<Work>) => void;
}

/** A draft as text. The editor is loaded when it is first needed. */
export function TextPane(props: TextPaneProps): JSX.Element {
  const { value, error, reload } = useLoad(() => import('./code-editor'), []);
  if (error !== undefined) return <ProblemBox error={error} retry={reload} />;
  if (value === undefined) return <Loading lines={12} />;
  return <LoadedPane {...props} code={value} />;
}

function LoadedPane({
  work,
  notation,
  shape,
  failures,
  isBusy,
  onChange,
  code,
}: TextPaneProps & { code: Code }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>(undefined);
  const text = useMemo(
    () => work.text?.text ?? code.writeText(work.draft, notation),
    [work.text, work.draft, notation],
  );
  const change = useRef(onChange);
  change.current = onChange;
  const shown = useRef(text);
  useEffect(() => {
    const onText = (text: string): void => {
      if (text === shown.current) return;
      shown.current = text;
      const read = code.readText(text, notation, shape);
      if ('draft' in read) change.current({ draft: read.draft, text: { notation, text }, held: {} });
      else change.current({ text: { notation, text, error: read.failure.message }, held: {} });
    };
    const title = `Resource as ${notation === 'json' ? 'JSON' : 'YAML'}`;
    editor.current = code.openEditor({ host: host.current!, text, notation, title, shape, onChange: onText });
    return () => editor.current?.close();
  }, [notation, code]);
  useEffect(() => {
    // A text that is being edited comes from the editor, which may be ahead of it already.
    if (work.text === undefined) {
      shown.current = text;
      editor.current?.setText(text);
    }
    if (text !== shown.current) return;
    const read = code.readText(text, notation, shape);
    editor.current?.setFailures('failure' in read ? [read.failure] : code.placesOf(text, failures));
  }, [text, failures]);
  useEffect(() => editor.current?.setBusy(isBusy), [isBusy]);
  return <div ref={host} class="code-editor" onKeyDown={keepKeys} />;
}

/** Keys that are typed in the editor are no shortcuts of the page, which cannot see where in it they are typed. */
function keepKeys(event: KeyboardEvent): void {
  if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
}
