import { HookTimeout } from '../problem';
import type { Resource } from '../resource';
import { closest } from '../suggest';
import type { KindDefinition, KindHooks, Policy, PolicyMethods } from './kind';

/** Every method of a policy; the record makes the compiler demand new ones. */
const METHODS = Object.keys({
  canList: true,
  canGet: true,
  canCreate: true,
  canUpdate: true,
  canDelete: true,
  canUpdateStatus: true,
  canManageDeadLetters: true,
} satisfies { [name in keyof PolicyMethods<Resource>]-?: true }) as (keyof PolicyMethods<Resource>)[];

const EXPORTS = ['validate', 'validateOn', 'policy'];
/** Functions of rules `custom`; the compiler reports missing ones. */
const CONVERSION = /(?:ToHub|FromHub)$/;
const OPERATIONS = ['create', 'update'];

/**
 * Replaces the hooks of each kind by those that the service calls: a policy may spell its methods as in the
 * specification (`CanUpdateStatus`), and each call rejects with HookTimeout after so many ms. Throws an Error that names every
 * export of the kinds' own files that would be silently ignored.
 */
export function settleHooks(kinds: KindDefinition[], timeoutMs: number): void {
  const problems: string[] = [];
  for (const kind of kinds) {
    const file = `src/kinds/${kind.group}/${kind.kind.toLowerCase()}.ts`;
    const limit: Limit = (hook, name) =>
      ((...values) => inTime(hook(...values), `${name} of ${file}`, timeoutMs)) as typeof hook;
    kind.hooks = settled(kind.hooks, limit, (problem) => problems.push(`${file}: ${problem}`));
  }
  if (problems.length > 0) throw new Error(problems.join('\n  '));
}

/** Returns a hook, which is called by a name in the log, with a time limit. */
type Limit = <Hook extends (...values: never[]) => unknown>(hook: Hook, name: string) => Hook;

/** Returns what a hook returns. A promise of it rejects with HookTimeout when it has not settled after so many ms. */
function inTime(result: unknown, name: string, ms: number): unknown {
  if (typeof (result as PromiseLike<unknown> | undefined)?.then !== 'function') return result;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new HookTimeout(name, ms)), ms);
    void Promise.resolve(result)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

function settled(hooks: KindHooks, limit: Limit, report: (problem: string) => void): KindHooks {
  const { validate, validateOn, policy } = hooks;
  for (const name of Object.keys(hooks)) {
    // A test may replace the module by an object: there this mark of compilers is visible.
    if (name === '__esModule') continue;
    if (name === 'default') checkDefault(hooks, report);
    else if (!EXPORTS.includes(name) && !CONVERSION.test(name))
      report(`the export ${name} is unknown${hint(name, EXPORTS)}; move helpers to a file of their own`);
  }
  if (validate !== undefined && typeof validate !== 'function') report('validate must be a function');
  checkOperations(validateOn, report);
  return {
    validate: validate && limit(validate, 'validate'),
    validateOn,
    policy: policy && settledPolicy(policy, limit, report),
  };
}

/**
 * A file without an export may have an empty one: esbuild and swc take it for a CommonJS module. That of such a module has
 * the same members once more, as where a test replaces the file by an object.
 */
function checkDefault(hooks: KindHooks, report: (problem: string) => void): void {
  const { default: value, ...named } = hooks as { [name: string]: unknown };
  const isCopy = (members: object): boolean =>
    Object.entries(members).every(([name, member]) => named[name] === member);
  if (typeof value === 'object' && value !== null && isCopy(value)) return;
  report('the default export is never read; export validate and policy by name');
}

function checkOperations(validateOn: unknown, report: (problem: string) => void): void {
  if (validateOn === undefined) return;
  if (!Array.isArray(validateOn)) return report("validateOn must be a list, such as ['create', 'update']");
  for (const operation of validateOn.filter((each) => !OPERATIONS.includes(each as string)))
    report(`validateOn has the unknown operation ${String(operation)}${hint(String(operation), OPERATIONS)}`);
}

function settledPolicy(
  policy: Policy<Resource>,
  limit: Limit,
  report: (problem: string) => void,
): PolicyMethods<Resource> {
  const methods: PolicyMethods<Resource> = {};
  for (const name of namesOf(policy)) {
    const value = (policy as { [name: string]: unknown })[name];
    const method = METHODS.find((each) => name === each || name === capitalised(each));
    if (method === undefined) {
      // An instance of a class may have fields of its own.
      if (typeof value !== 'function' && !/^can/i.test(name)) continue;
      report(
        `the policy's method ${name} is unknown${hint(name, METHODS)}; a policy has ${METHODS.join(', ')}`,
      );
    } else if (value === undefined) continue;
    else if (typeof value !== 'function') report(`the policy's ${name} must be a function`);
    else if (methods[method] !== undefined)
      report(`the policy has ${method} in two spellings; keep one of them`);
    else
      methods[method] = limit(
        value.bind(policy) as NonNullable<PolicyMethods<Resource>[typeof method]>,
        method,
      );
  }
  return methods;
}

/** Returns the names of an object's members, including those of its classes. */
function namesOf(object: object): string[] {
  const names = new Set<string>();
  for (let each: object | null = Object(object) as object; each !== null && each !== Object.prototype;) {
    Object.getOwnPropertyNames(each).forEach((name) => names.add(name));
    each = Object.getPrototypeOf(each) as object | null;
  }
  names.delete('constructor');
  return [...names];
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function hint(name: string, candidates: readonly string[]): string {
  const meant = closest(name, candidates);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
