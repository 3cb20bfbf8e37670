import { Code } from '../render/literal';
import { carryFunction } from './carry-code';
import { Call, declaration, print, value } from './code';
import type { Emitter } from './emit';
import { fromHubFunction } from './from-hub-code';
import type { Side } from './local-rules';
import { lastName, type Step } from './path';
import type { Container, ScopePlan } from './plan';
import { ScopeCode } from './scope-code';
import { toHubFunction } from './to-hub-code';

/** Adds the lens of two objects to a module: its three functions, and where its fields stand. */
export function emitScope(emitter: Emitter, plan: ScopePlan, base: string): void {
  const code = new ScopeCode(emitter, plan, base);
  emitter.use('JsonObject');
  // The functions first: what they call adds itself to the module, above them.
  const functions = [fromHubFunction(code), toHubFunction(code), carryFunction(code)];
  emitter.add(
    declaration(`const ${base}Fields = `, new Call('new Set<string>', [value(code.declared(plan.spoke))])),
  );
  for (const text of functions) emitter.add(text);
  const rows = places(code);
  const list = rows.length === 0 ? '[]' : value(rows);
  const start = '  places: () => ';
  const lines = [
    `const ${base} = ${emitter.use('scope')}({`,
    `  fromHub: ${base}FromHub,`,
    `  toHub: ${base}ToHub,`,
    `  carry: ${base}Carry,`,
    `${start}${print(list, 2, start.length, 1)},`,
    '});',
  ];
  emitter.add(lines.join('\n'));
}

type Row = (Code | (string | { key: string; value: string | number })[])[];

/** Where the fields stand: the hub's path, the spoke's, and the lens between them. */
function places(code: ScopeCode): Row[] {
  const { links, several, hub } = code.plan;
  const path = (steps: Step[], side: Side) =>
    steps.map((step, i) =>
      step.kind === 'element'
        ? { key: step.key, value: code.keyValue(step, steps.slice(0, i + 1), side) }
        : lastName([step]),
    );
  const whole = () => new Code(code.use('whole'));
  const rows: Row[] = links.map((link) => [
    path(link.hub.steps, 'hub'),
    path(link.spoke.steps, 'spoke'),
    ...(link.lens.kind === 'copy' ? [] : [new Code(code.lens(link))]),
  ]);
  for (const one of several) {
    for (const leaf of one.hub)
      rows.push([path(leaf.steps, 'hub'), path(one.spoke[0].steps, 'spoke'), whole()]);
  }
  const pairs = (holder: Container): void => {
    if (holder.pair) rows.push([path(holder.steps, 'hub'), path(holder.pair.steps, 'spoke'), whole()]);
    holder.children.forEach(pairs);
  };
  pairs(hub);
  return rows;
}
