import { Block, Call, functionText } from './code';
import type { Container } from './plan';
import type { ScopeCode } from './scope-code';
import type { Step } from './path';

/** The function that says what stays aside when another version changed the hub's object from `was` to `now`. */
export function carryFunction(code: ScopeCode): string {
  const body = new Block();
  const { links, several, aside, spoke } = code.plan;
  code.readers(body, 'was');
  code.readers(body, 'now');
  body.line('const kept: JsonObject = {};');
  for (const link of links) {
    if (link.lens.kind === 'copy') continue;
    const key = code.key(link.spoke);
    const args = [code.read('was', link.hub), code.read('now', link.hub), code.aside(key)];
    code.set(body, 'kept', key, new Call(`${code.lens(link)}.carry`, args));
  }
  for (const one of several) {
    const key = code.severalKey(one);
    const args = [code.values(one, 'was'), code.values(one, 'now'), code.aside(key)];
    code.set(body, 'kept', key, code.call('unlessChanged', ...args));
  }
  for (const leaf of aside) stay(code, body, code.key(leaf), leaf.steps);
  containers(code, body, spoke);
  body.line('return kept;');
  body.dropUnused();
  const roots = ['was', 'now'].map((name) => `${body.uses(name) ? '' : '_'}${name}: JsonObject`);
  return functionText(`${code.base}Carry`, [...roots, 'aside: JsonObject'], 'JsonObject', body);
}

function containers(code: ScopeCode, body: Block, holder: Container): void {
  if (holder.kind === 'object') stay(code, body, code.key(holder, '*'), holder.steps);
  for (const child of holder.children) {
    const { pair } = child;
    const key = code.key(child, '?');
    if (child.kind !== 'object') {
      if (code.linkAt(child.steps) === undefined) stay(code, body, code.key(child), child.steps);
    } else if (pair === undefined) stay(code, body, key, child.steps);
    else {
      const args = [code.present(pair, 'was'), code.present(pair, 'now'), code.aside(key)];
      code.set(body, 'kept', key, code.call('unlessChanged', ...args));
    }
    containers(code, body, child);
  }
}

/** Something that only this spoke has stays, unless the hub lost the object that it is in. */
function stay(code: ScopeCode, body: Block, key: string, steps: Step[]): void {
  const pair = code.pairAbove(steps, 'spoke');
  const aside = code.aside(key);
  const lost = pair && [code.read('was', pair), code.read('now', pair)];
  code.set(body, 'kept', key, lost ? code.call('unlessGone', ...lost, aside) : aside);
}
