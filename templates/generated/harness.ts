import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MountedKind } from '../../src/generated/runtime/mount';
import { service as definition } from '../../src/generated/service';
import type { OpenApi } from './tables/described';
import { checkKind as checkTested, type Examples } from './tables/kind';
import { checkService as checkTestedService } from './tables/service';
import { TestedService } from './tables/tested';

/** All that a kind promises, in each of its versions; only this kind is loaded. */
export function checkKind(mounted: MountedKind, examples: { [version: string]: Examples }): void {
  checkTested(tested([mounted]), mounted, examples);
}

/** All that the service promises beside its kinds. */
export function checkService(kinds: MountedKind[]): void {
  checkTestedService(tested(kinds));
}

function tested(kinds: MountedKind[]): TestedService {
  const path = join(__dirname, '../../src/generated/openapi.json');
  const document = JSON.parse(readFileSync(path, 'utf8')) as OpenApi;
  return new TestedService({ definition, document, kinds }).forAllTests();
}
