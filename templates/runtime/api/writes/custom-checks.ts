import type { Resource } from '../../model/resource';
import type { Service } from '../../service/service';
import { invalid } from '../../validation/admission';
import { scopeOf } from '../request/label-scope';
import { readerOf } from '../reads/reader';
import type { RequestContext } from '../request/request-context';

/**
 * Runs the user's own checks where they apply; they refuse in every validation mode. They see the hub version; the
 * client gets the fields of `version`.
 */
export async function checkCustom(
  service: Service,
  { kind, req, dryRun }: RequestContext,
  resource: Resource,
  current: Resource | undefined,
  version: string,
): Promise<void> {
  const { validate, validateOn = ['create'] } = kind.hooks;
  const operation = current === undefined ? 'create' : 'update';
  if (validate === undefined || !validateOn.includes(operation)) return;
  const reader = readerOf(service, { group: kind.group, version, scope: scopeOf(req) });
  const failures = (await validate(resource, { operation, current, request: req, dryRun, ...reader })) ?? [];
  if (failures.length === 0) return;
  const { converter } = kind.versions[version];
  const place = (pointer: string): string => converter?.toSpokePointer(pointer) ?? pointer;
  throw invalid(
    failures.map(({ pointer = '', detail }) => ({ pointer: place(pointer), rule: 'custom', detail })),
  );
}
