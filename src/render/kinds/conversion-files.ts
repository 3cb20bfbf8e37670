import { Code, literal } from '../../code/literal';
import { codeSpans } from '../../code/markdown';
import { converterModule, type ConverterPlace } from '../../conversion/module/converter-module';
import { allowances } from '../../conversion/reports/allowances';
import { conversionReport } from '../../conversion/reports/report';
import { isSelectable } from '../../model/fields';
import { declaredOf, isSelectableIn, selectableIn } from '../../plan/kind-data';
import {
  type ConvertedKind,
  kindPath,
  type SpokeSubject,
  type ViewSubject,
} from '../../plan/planned-project';
import { renderTemplate } from '../text/templates';

/** Returns `<spoke>.convert.ts`: the conversion between the hub and a spoke. */
export function convertFile(subject: SpokeSubject): string {
  const plan = subject.conversions.planOf(subject.version.version);
  return converterModule(plan, subject.group.types, placeOf(subject));
}

/** Returns `<stored>.<shown>.view.ts`: how a version reads resources that a former storage version stored. */
export function viewFile(subject: ViewSubject): string {
  const { group, version, shown, conversions } = subject;
  const plan = conversions.view(version.version, shown.version);
  if (plan === undefined)
    return `/** No rules define how ${shown.version} reads data stored in ${version.version}. */\nexport const converter = undefined;\n`;
  return converterModule(plan, group.types, { ...placeOf(subject), isView: true });
}

function placeOf(subject: ConvertedKind): ConverterPlace {
  return {
    kind: subject.kind.name,
    runtime: '../../../runtime',
    userFile: `../../../../kinds/${kindPath(subject)}`,
  };
}

/** Returns `CONVERSION.md`: every field of every version of a kind, and how it converts in each direction. */
export function conversionFile(subject: ConvertedKind): string {
  return conversionReport(subject.kind.name, subject.conversions.plans) + selectableSection(subject);
}

/** Returns the section on the selectable fields of a kind in each of its versions; empty where it has none. */
function selectableSection(subject: ConvertedKind): string {
  const { group, kind } = subject;
  const declared = declaredOf(subject).filter(isSelectable);
  if (declared.length === 0) return '';
  const lines = kind.versions.map(({ version }) => {
    const fields = selectableIn(subject, version).map(({ path }) => path.join('.'));
    return `- ${version}: ${fields.length > 0 ? codeSpans(fields) : 'none'}`;
  });
  const missing = kind.versions.flatMap(({ version }) => {
    if (version === group.storageVersion) return [];
    const lost = declared.filter((field) => !isSelectableIn(subject, version, field));
    if (lost.length === 0) return [];
    return [
      `In ${version}, lists cannot be selected by ${codeSpans(lost.map(({ path }) => path.join('.')))} of ${group.storageVersion}.`,
    ];
  });
  const parts = ['## Selectable fields', lines.join('\n'), ...missing];
  return `\n${parts.join('\n\n')}\n`;
}

/** Returns `<kind>.laws.test.ts`: the laws of conversion, tested on resources made from the field rules. */
export function lawsTestFile(subject: ConvertedKind): string {
  const { group, kind, conversions } = subject;
  const spokes = conversions.plans.map((plan) => ({
    fields: new Code(`convertedFields(kind, '${plan.spokeVersion}')`),
    converter: new Code(`versions.${plan.spokeVersion}.converter!`),
    ...allowances(plan),
  }));
  return renderTemplate('generated/laws.test.ts', {
    kind: kind.name,
    kindPath: `../../../../src/generated/kinds/${kindPath(subject)}/kind`,
    hub: group.storageVersion,
    spokes: literal(spokes, { indent: 2, column: 50, tail: 2 }),
  });
}
