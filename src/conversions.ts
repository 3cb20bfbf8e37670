import { allowances } from './conversion/allowances';
import { planConversion, type Conversion } from './conversion/conversion';
import { converterModule } from './conversion/emit';
import { conversionReport } from './conversion/report';
import { kindPath, type KindSubject, type VersionSubject } from './render/kind-files';
import { Code, literal, type Printable } from './render/literal';
import { renderTemplate } from './render/templates';
import type { LoadedProject } from './load/load-project';
import type { Group, Kind, KindVersion } from './model';
import { ProjectError, type Problem } from './problem';

/** Planned conversions; a project is planned when it is checked and again when it is rendered. */
const planned = new WeakMap<KindVersion, Conversion>();

/** The versions of a kind that are converted to and from the hub, the storage version. */
export function spokesOf({ storageVersion }: Group, kind: Kind): KindVersion[] {
  return kind.versions.filter(({ version }) => version !== storageVersion);
}

/** How a spoke is converted, or what is wrong with its rules. */
export function conversionOf({ storageVersion, types }: Group, kind: Kind, spoke: KindVersion): Conversion {
  let conversion = planned.get(spoke);
  if (conversion === undefined) {
    const hub = kind.versions.find(({ version }) => version === storageVersion)!;
    conversion = planConversion(observed(kind, hub), { ...spoke, ...observed(kind, spoke) }, types);
    planned.set(spoke, conversion);
  }
  return conversion;
}

/** The versions of a kind with the fields that are converted. */
export function convertedVersions(kind: Kind): KindVersion[] {
  return kind.versions.map((version) => ({ ...version, ...observed(kind, version) }));
}

/** With history, a declared `status.version` is the server's and is not converted. */
function observed(
  { history }: Kind,
  { version, spec, status }: KindVersion,
): Pick<KindVersion, 'version' | 'spec' | 'status'> {
  return {
    version,
    spec,
    status: history === undefined ? status : status.filter(({ name }) => name !== 'version'),
  };
}

/**
 * Checks the conversion of every spoke of every kind, but of those that `known` has the notices of. Returns for each kind the
 * fields that only one version has, with the likeliest rename, as notices. Throws ProjectError with every problem of every rule.
 */
export function checkConversions(
  { project, locate }: LoadedProject,
  known: (kind: Kind) => string[] | undefined = () => undefined,
): string[][] {
  const problems: Problem[] = [];
  const check = (group: Group, g: number, kind: Kind, k: number): string[] =>
    spokesOf(group, kind).flatMap((spoke) => {
      const conversion = conversionOf(group, kind, spoke);
      for (const { version, path, message, hint } of conversion.problems) {
        const place = locate(['groups', g, 'kinds', k, 'versions', version, ...path]);
        problems.push({ message: `${kind.name}: ${message}`, hint, ...place });
      }
      return conversion.notices.map((notice) => `${kind.name}: ${notice}`);
    });
  const notices = project.groups.flatMap((group, g) =>
    group.kinds.map((kind, k) => known(kind) ?? check(group, g, kind, k)),
  );
  if (problems.length > 0) throw new ProjectError(problems);
  return notices;
}

/** `<spoke>.convert.ts`: the conversion between the hub and a spoke. */
export function convertFile(subject: VersionSubject): string {
  const { group, kind, version } = subject;
  const { plan } = conversionOf(group, kind, version);
  if (plan === undefined) throw new Error(`${kind.name} ${version.version} has conversion problems`);
  return converterModule(plan, group.types, {
    kind: kind.name,
    runtime: '../../runtime',
    userFile: `../../../kinds/${kindPath(subject)}`,
  });
}

/** `CONVERSION.md` of a kind with spokes: every field of every version and how it converts in each direction. */
export function conversionFile({ group, kind }: KindSubject): string {
  const plans = spokesOf(group, kind).flatMap((spoke) => conversionOf(group, kind, spoke).plan ?? []);
  return conversionReport(kind.name, plans);
}

/** `<kind>.laws.test.ts`: the laws of conversion, tested on resources made from the field rules. */
export function lawsTestFile(subject: KindSubject): string {
  const { group, kind } = subject;
  const spokes = spokesOf(group, kind).map((spoke) => {
    const { plan } = conversionOf(group, kind, spoke);
    if (plan === undefined) throw new Error(`${kind.name} ${spoke.version} has conversion problems`);
    return {
      fields: new Code(`convertedFields(kind, '${spoke.version}')`),
      converter: new Code(`versions.${spoke.version}.converter!`),
      ...allowances(plan),
    };
  });
  return renderTemplate('generated/laws.test.ts', {
    kind: kind.name,
    kindPath: `../../../src/generated/${kindPath(subject)}/kind`,
    hub: group.storageVersion,
    spokes: literal(spokes as unknown as Printable, { indent: 2, column: 50, tail: 2 }),
  });
}
