import * as fc from 'fast-check';
import { addVersion } from '../../src/edit/scaffold';
import { type LoadedProject, loadProject, readProject } from '../../src/load/load-project';
import { ProjectError } from '../../src/model/problem';
import type { Project } from '../../src/model/project';
import { planProject } from '../../src/plan/plan-project';
import { arbitrary } from '../../templates/laws/arbitrary';
import { representSnapshot } from '../../templates/runtime/history/shown-snapshot';
import type { KindDefinition, KindHooks } from '../../templates/runtime/model/kinds/kind';
import { preservedText, type StoredText } from '../../templates/runtime/model/kinds/versioning';
import { HttpProblem } from '../../templates/runtime/model/problem';
import type { Resource } from '../../templates/runtime/model/resource';
import { isObject, type Json, type JsonObject } from '../../templates/runtime/model/schema';
import type { Body } from '../../templates/runtime/model/versions/versioning-of';
import type { ServiceDefinition } from '../../templates/runtime/service/definition';
import { readSettings } from '../../templates/runtime/settings/settings';
import type { StoredSnapshot } from '../../templates/runtime/store/store';
import { admit } from '../../templates/runtime/validation/admission';
import { bodyOf, hubStateOf, preservedAfter, shownIn } from '../../templates/runtime/versions/hub-state';
import {
  type PreservedEntry,
  preservedOf,
  preservedOfSpec,
} from '../../templates/runtime/versions/preserved-fields';
import { rewrittenSnapshot } from '../../templates/runtime/versions/snapshots';
import { writeThrough } from '../../templates/runtime/versions/spoke-writing';
import { kindDefinition, serviceDefinition } from '../runtime/support/harness';

/** Loads a project.yaml without a folder of its own. */
export const load = (text: string): LoadedProject => loadProject('.', text);

/** The service of a project.yaml of one kind: what a test needs of it. */
export class Served {
  readonly project: Project;
  readonly service: ServiceDefinition;
  readonly kind: KindDefinition;

  constructor(
    readonly text: string,
    hooks: KindHooks,
  ) {
    const { project } = planProject(readProject('.', text));
    const [group] = project.groups;
    this.project = project;
    this.service = serviceDefinition(project);
    this.kind = kindDefinition(group, group.kinds[0], hooks);
  }

  get versions(): string[] {
    return Object.keys(this.kind.versions);
  }

  /** The same project with another hub, as `svcgen add version --storage` makes it. */
  moved(to: string, hooks: KindHooks): Served {
    return new Served(addVersion(this.text, { name: to, storage: true }, load), hooks);
  }
}

/** Refusals of the way back: what the versions have come to share, the first hub lacks or cannot restore. */
const NO_WAY_BACK = [
  /^Thing: .+ is in v1\w+ and v1\w+, not in v1: with v1 as the storage version the two no longer share it$/,
  /^Thing: v1\w+ cannot read through v1 the same data as through v1\w+: its rules could not be restored if the storage moves back$/,
];

/** The project after the way back; undefined if it is refused for what the versions have come to share. */
export function movedBack(after: Served, hooks: KindHooks): Served | undefined {
  try {
    return after.moved('v1', hooks);
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    for (const { message } of error.problems)
      expect([message, NO_WAY_BACK.some((text) => text.test(message))]).toEqual([message, true]);
    return undefined;
  }
}

/** The stored rows of one resource with one snapshot. */
export interface Rows {
  row: StoredText;
  snapshot: StoredSnapshot;
}

const SETTINGS = readSettings({});
const METADATA = { name: 'a', uid: 'thi-0', createdAt: '', updatedAt: '', generation: 1 };

/** Writes a part of a resource through a version; undefined where it is refused. */
export function write(
  { service, kind }: Served,
  rows: Rows | undefined,
  version: string,
  fields: JsonObject,
): Rows | undefined {
  const before = rows && hubStateOf(kind, rows.row);
  const sent = structuredClone(fields);
  const shown = before && shownIn(kind, structuredClone(before), version).spec;
  const judge = { definition: service, settings: SETTINGS };
  if (admit(judge, kind, { version, part: 'spec', fields: sent }, shown).length > 0) return undefined;
  try {
    const put = writeThrough(judge, kind, { version, part: 'spec', fields: sent }, before, []);
    const hub: Resource = {
      apiVersion: `${kind.group}/${kind.storageVersion}`,
      kind: kind.kind,
      metadata: METADATA,
      spec: put.fields,
      ...(before?.hub.status && { status: before.hub.status }),
    };
    const { aside, exact } = put;
    return stored(kind, hub, preservedAfter(kind, before, hub, { version, part: 'spec', aside, exact }));
  } catch (error) {
    if (error instanceof HttpProblem) return undefined;
    throw error;
  }
}

function stored(kind: KindDefinition, hub: Resource, preserved: Parameters<typeof preservedOfSpec>[0]): Rows {
  const { storageVersion: version } = kind;
  const snapshot = { ...METADATA, versionId: '1', spec: hub.spec };
  return {
    row: { version, text: JSON.stringify(hub), kept: preservedText(preserved) },
    snapshot: {
      versionId: '1',
      version,
      text: JSON.stringify(snapshot),
      kept: preservedText(preservedOfSpec(preserved)),
    },
  };
}

/** Returns the rows after `migrate-storage`. */
export function migrated({ kind }: Served, { row, snapshot }: Rows): Rows {
  if (row.version === kind.storageVersion) return { row, snapshot };
  const { hub, preserved } = hubStateOf(kind, row);
  return { ...stored(kind, hub, preserved), snapshot: rewrittenSnapshot(kind, snapshot) };
}

/** Changes the preserved fields of each version. */
export function withPreserved(
  { row, snapshot }: Rows,
  change: (entry: PreservedEntry) => PreservedEntry,
): Rows {
  const changed = <Text extends StoredText>(stored: Text): Text => {
    const entries = Object.entries(preservedOf(stored)).map(([version, entry]) => [version, change(entry)]);
    return { ...stored, kept: preservedText(Object.fromEntries(entries)) };
  };
  return { row: changed(row), snapshot: changed(snapshot) };
}

/** The texts of the resource and its snapshot in every version. */
export function texts({ kind, versions }: Served, { row, snapshot }: Rows): { [version: string]: string[] } {
  const state = hubStateOf(kind, row);
  return Object.fromEntries(
    versions.map((version) => [
      version,
      [
        JSON.stringify(shownIn(kind, structuredClone(state), version)),
        representSnapshot(kind, snapshot, version),
      ],
    ]),
  );
}

/** Returns the parts of the resource as a version reads them. */
export function read({ kind }: Served, { row }: Rows, version: string): Body {
  return structuredClone(bodyOf(kind, shownIn(kind, hubStateOf(kind, row), version)));
}

/** Specs of a version: what clients send that keep its types, in any form and order. */
export function specsOf({ kind }: Served, version: string): fc.Arbitrary<JsonObject> {
  const { spec, types } = kind.versions[version];
  const isFree = !/"(enum|pattern|format|x-list-key)"/.test(JSON.stringify({ spec, types }));
  return fc
    .tuple(arbitrary(spec, types), fc.array(fc.nat(99), { minLength: 8, maxLength: 8 }))
    .map(([value, dice]) => disguised(value, dice, isFree) as JsonObject);
}

/** Texts that mean a value without being its canonical form. */
const FORMS = ['08080', '90s', '1500ms', '+1', '1.0', '1e3', '0.5h', 'TRUE', '-0', '007', '1h0m', '', ' '];

/** A document with its members in another order, some of them null, and with other texts where any will do. */
function disguised(value: Json, dice: number[], isFree: boolean, at = { i: 0 }): Json {
  const roll = () => dice[at.i++ % dice.length] + at.i;
  if (isFree && typeof value === 'string' && roll() % 2 === 0) return FORMS[roll() % FORMS.length];
  if (Array.isArray(value)) return value.map((one) => disguised(one, dice, isFree, at));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(() => (roll() % 2) * 2 - 1);
  return Object.fromEntries(
    entries.map(([name, one]) => [name, roll() % 17 === 0 ? null : disguised(one, dice, isFree, at)]),
  );
}

/** A change of one field of a document: to what another document has, to null, or to a list in another order or with an element twice. */
export function changed(document: JsonObject, other: JsonObject, dice: number): JsonObject {
  const names = [...new Set([...Object.keys(document), ...Object.keys(other)])].sort();
  if (names.length === 0) return document;
  const name = names[dice % names.length];
  const { [name]: value, ...rest } = document;
  if (dice % 5 === 0 && Array.isArray(value)) return { ...document, [name]: value.toReversed() };
  if (dice % 7 === 0 && Array.isArray(value))
    return { ...document, [name]: [...value, ...value.slice(0, 1)] };
  if (dice % 11 === 0) return { ...document, [name]: null };
  return Object.hasOwn(other, name) ? { ...document, [name]: other[name] } : rest;
}
