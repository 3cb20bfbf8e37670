import { allKinds } from '../../src/generated/routes';
import { checkService } from './harness';

checkService(allKinds());
