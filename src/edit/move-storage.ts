import { isDeepStrictEqual } from 'node:util';
import { type MovedRule, moveHub, type StorageMove } from '../conversion/hub/move-hub';
import { planConversion } from '../conversion/plan/conversion';
import type { LoadedProject } from '../load/load-project';
import { type Path, type Problem, ProjectError } from '../model/problem';
import type { Json } from '../model/project';
import { checkDeclared } from '../plan/check-declared';
import { convertedVersions } from '../plan/conversions';
import { plannedProject } from '../plan/planned-project';
import { moveColumns } from './move-columns';
import { moveDeclarations } from './move-declarations';
import { chooseGroup, type GroupText, type KindText, readGroups } from './project-text';
import { appendComments, commentsBelow, commentsFor, commentsOf, withComments } from './yaml-comments';
import { appendItem, editItems, removeValue, replaceValue } from './yaml-edit';
import { valueAt } from './yaml-source';

/** The text of project.yaml before a version was added to it. */
interface Origin {
  text: string;
  /** The version that was copied. */
  source: string;
  load: (text: string) => LoadedProject;
}

/**
 * The project.yaml where another version that it declares is the storage version of a group: the rules of its kinds
 * are inverted and composed, those that need not change stay as they are written. `group` is the group before. Throws
 * ProjectError with every rule that cannot be inverted, at its position in the original text.
 */
export function moveStorage(text: string, group: GroupText, to: string, origin: Origin): string {
  const problems: Problem[] = [];
  const { project } = origin.load(text);
  const { locate } = origin.load(origin.text);
  const built = project.groups.find(({ name }) => name === group.name)!;
  const { kinds } = chooseGroup(readGroups(text), group.name);
  const names: [string, string] = [group.storageVersion, to];
  const edited = editItems(text, [...group.path, 'kinds'], kinds.length, (part, place, index) => {
    const kind = kinds[index];
    const report = (path: Path, message: string, hint?: string) =>
      problems.push({ message: `${kind.name}: ${message}`, hint, ...locate([...kind.path, ...path]) });
    const planned = built.kinds.find(({ name }) => name === kind.name)!;
    const versions = convertedVersions(planned);
    const moved = moveHub(versions, built.types, ...names);
    for (const { version, path, message, hint } of moved.problems) {
      if (group.versions.includes(version)) report(['versions', version, ...path], message, hint);
      else report(['versions', origin.source, ...path], message, hintForCopy(hint, path, to, origin.source));
    }
    if (problems.length > 0) return part;
    const here = { ...kind, path: place };
    const isCopy = !group.kinds[index].versions.includes(to);
    const ruled = withLostComments(part, withRules(part, here, to, moved.rules), here, names, isCopy);
    const [oldHub, newHub] = names.map((name) => versions.find(({ version }) => version === name)!);
    const { plan } = planConversion(oldHub, newHub, built.types);
    const move = { from: oldHub, to: newHub, plan: plan!, types: built.types, history: planned.history };
    return moveColumns(moveDeclarations(ruled, here, move, report), here, move, report);
  });
  if (problems.length > 0) throw new ProjectError(problems);
  const moved = replaceValue(edited, [...group.path, 'storageVersion'], to);
  checkDeclarations(origin.load(moved));
  return moved;
}

/**
 * Returns the hint of a problem in a version that is not in the file: nothing is written, so its fields cannot be edited
 * yet. Its rules are those of its source, where the problem is reported.
 */
function hintForCopy(hint: string | undefined, path: Path, to: string, source: string): string | undefined {
  if (hint === undefined || path[0] === 'conversion') return hint;
  return `${hint}: to ${source}, which is copied; or run svcgen add version ${to} --from ${source}, edit its fields, and repeat this command`;
}

/** Throws ProjectError where versions repeat declarations that their new rules cannot carry. */
function checkDeclarations({ project }: LoadedProject): void {
  const problems = plannedProject(project).kinds.flatMap((planned) =>
    planned.conversions.spokes.flatMap((spoke) =>
      checkDeclared(planned, spoke).map(({ message, hint }) => ({
        message: `${planned.kind.name}: with ${planned.group.storageVersion} as the storage version: ${message}`,
        hint,
      })),
    ),
  );
  if (problems.length > 0) throw new ProjectError(problems);
}

/** Returns the text with the rules of a kind as they are below the new hub, and their comments. */
function withRules(text: string, kind: KindText, to: string, rules: StorageMove['rules']): string {
  const listOf = (version: string): Path => [...kind.path, 'versions', version, 'conversion'];
  let edited = text;
  for (const [version, now] of rules) {
    const list = listOf(version);
    const own = now.filter(({ from }) => from !== undefined);
    edited = withOwn(edited, list, kind.rules[version] ?? [], own);
    for (const [i, { rule, inverts }] of now.filter((one) => !own.includes(one)).entries()) {
      edited = appendItem(edited, list, rule);
      if (inverts === undefined) continue;
      const comments = commentsFor(rule, commentsOf(text, [...listOf(to), inverts]), true);
      edited = withComments(edited, [...list, own.length + i], rule, comments);
    }
  }
  return Object.hasOwn(kind.rules, to) ? removeValue(edited, listOf(to)) : edited;
}

/** Returns the text with the rules of a version that are made of its own, each in its place, and without the others. */
function withOwn(text: string, list: Path, before: Json[], own: MovedRule[]): string {
  if (own.length === 0) return before.length > 0 ? removeValue(text, list) : text;
  let edited = text;
  for (const { rule, from } of own) {
    if (isDeepStrictEqual(rule, before[from!])) continue;
    const place = [...list, from!];
    // Those above it stay there.
    const inside = commentsOf(edited, place).filter(({ path }) => path.length > 0);
    const comments = commentsFor(rule, inside, false);
    edited = withComments(replaceValue(edited, place, rule), place, rule, comments);
  }
  const gone = [...before.keys()].filter((index) => !own.some(({ from }) => from === index));
  // The last one first: the others stay where they are.
  return gone.reduceRight((rest, index) => removeValue(rest, [...list, index]), edited);
}

/**
 * The edited text with the comments among the rules of a kind that are no longer in it: where a version's rules are, or
 * were. Those of the new hub go to the rules that invert its own; where it is a copy of another version, they are there twice.
 */
function withLostComments(
  text: string,
  edited: string,
  kind: KindText,
  [from, to]: [string, string],
  isCopy: boolean,
): string {
  let result = edited;
  const rulesOf = (version: string): string[] =>
    commentsBelow(text, [...kind.path, 'versions', version, 'conversion']);
  const all = without(commentsBelow(text, kind.path), isCopy ? rulesOf(to) : []);
  for (const version of Object.keys(kind.rules)) {
    const versions = [...kind.path, 'versions'];
    const lost = without(all, commentsBelow(result, kind.path));
    const comments = without(rulesOf(version), without(rulesOf(version), lost));
    if (comments.length === 0) continue;
    const hasRules = (version: string): boolean => {
      const rules = valueAt(result, [...versions, version, 'conversion']) as Json[] | null | undefined;
      return (rules ?? []).length > 0;
    };
    const heir = version === to && hasRules(from) ? from : version;
    result = appendComments(result, [...versions, heir, ...(hasRules(heir) ? ['conversion'] : [])], comments);
  }
  return result;
}

/** Returns the strings without the others; as often as one is among these, it is left out, from the start. */
function without(all: string[], others: string[]): string[] {
  const counts = new Map<string, number>();
  for (const one of others) counts.set(one, (counts.get(one) ?? 0) + 1);
  return all.filter((one) => {
    const count = counts.get(one) ?? 0;
    counts.set(one, count - 1);
    return count <= 0;
  });
}
