import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MountedKind } from '../../src/generated/runtime/mount';
import { service as definition } from '../../src/generated/service';
import type { OpenApi } from './contract/described';
import { checkKind as checkTested, type Examples, type MoreTests } from './contract/kind';
import { checkService as checkTestedService } from './contract/service';
import { TestedService } from './contract/tested';
import { testDatabase } from './database';

/** Checks the promises of a kind in each of its versions. Only this kind and those that it needs are loaded. */
export function checkKind(
  mounted: MountedKind,
  examples: { [version: string]: Examples },
  more: MoreTests = {},
): void {
  const targets = Object.values(more.needed?.targets ?? {}).map((target) => target.mounted);
  checkTested(tested([mounted, ...targets]), mounted, examples, more);
}

/** Checks the promises of the service that are independent of its kinds. */
export function checkService(kinds: MountedKind[]): void {
  checkTestedService(tested(kinds));
}

function tested(kinds: MountedKind[]): TestedService {
  const path = join(__dirname, '../../src/generated/openapi.json');
  const document = JSON.parse(readFileSync(path, 'utf8')) as OpenApi;
  return new TestedService({ definition, database: testDatabase(), document, kinds }).forAllTests();
}
