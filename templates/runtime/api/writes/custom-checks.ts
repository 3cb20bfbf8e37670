import type { KindDefinition, KindHooks } from '../../model/kinds/kind';
import { documentOf, type HubState, versioningOf } from '../../model/kinds/versioning';
import type { Service } from '../../service/service';
import type { MaybePromise } from '../../store/store';
import { invalid } from '../../validation/admission';
import { readerOf } from '../reads/reader';
import { scopeOf } from '../request/label-scope';
import type { RequestContext } from '../request/request-context';

/**
 * Runs the user's own checks where they apply; they refuse in every validation mode. They see copies in the hub version; the
 * client gets the fields of `version`. Throws HttpProblem 400.
 */
export function checkCustom(
  service: Service,
  context: RequestContext,
  version: string,
  after: HubState,
  before: HubState | undefined,
): MaybePromise<void> {
  const { validate, validateOn = ['create'] } = context.kind.hooks;
  const operation = before === undefined ? 'create' : 'update';
  if (validate === undefined || !validateOn.includes(operation)) return;
  const { kind, req, dryRun } = context;
  const reader = readerOf(service, { group: kind.group, version, scope: scopeOf(req) });
  const state = { operation, current: structuredClone(before?.hub) } as const;
  const checking = validate(structuredClone(after.hub), { ...state, request: req, dryRun, ...reader });
  return refuseFailures(kind, version, after, checking);
}

async function refuseFailures(
  kind: KindDefinition,
  version: string,
  after: HubState,
  checking: ReturnType<NonNullable<KindHooks['validate']>>,
): Promise<void> {
  const failures = (await checking) ?? [];
  if (failures.length === 0) return;
  const versioning = versioningOf(kind);
  const shown = versioning.shownIn(kind, after, version);
  const documents = { hub: documentOf(after.hub), spoke: documentOf(shown) };
  const place = (pointer: string): string => versioning.pointerIn(kind, version, pointer, documents);
  throw invalid(
    failures.map(({ pointer, detail }) => ({ pointer: place(jsonPointer(pointer)), rule: 'custom', detail })),
  );
}

/** Returns the JSON Pointer (RFC 6901) that a check means: one written as `spec/price` or `#/spec/price` lacks its form only. */
function jsonPointer(written = ''): string {
  const path = written.replace(/^#?\/?/, '');
  return path === '' ? '' : `/${path}`;
}
