import { kinds } from '../../src/generated/routes';
import { checkService } from './harness';

checkService(kinds);
