import { Code, type Printable } from '../render/literal';
import { Call, camel, type Expression, value } from './code';
import type { Emitter } from './emit';
import { stepsText } from './path';
import type { LensPlan, SeveralLink } from './plan';

/** A lens as an expression. `hint` starts the names of the lenses inside it. */
export function lensExpression(plan: LensPlan, hint: string, emitter: Emitter): Expression {
  const call = (fn: string, ...args: Expression[]) => new Call(emitter.use(fn), args);
  const lenses = (special: [key: string | number, lens: LensPlan][]): Printable =>
    special.length === 0
      ? undefined
      : special.map(([key, lens]) => [key, new Code(emitter.lens(lens, camel(hint, String(key))))]);
  switch (plan.kind) {
    case 'map':
      return call('mapping', value(plan.pairs), ...options({ ...plan.otherwise }));
    case 'scale':
      return call('scaling', value(plan.factor), value({ hub: plan.hub, spoke: plan.spoke }));
    case 'castFromText':
      return call('castFromText', value(plan.meaning), value(plan.otherwise));
    case 'castToText':
      return call('castToText', value(plan.meaning));
    case 'joinList':
      return call('joinedList', value(plan.side), value(plan.separator));
    case 'list': {
      const { hubKey, spokeKey, element, special } = plan;
      const except = plan.except.length > 0 ? plan.except : undefined;
      const rest = options({ hubKey, spokeKey, except, special: lenses(special) });
      return call('listOf', emitter.lens(element, `${hint}Item`), ...rest);
    }
    case 'mapOf': {
      const [except, skip] = [plan.except, plan.skip].map((keys) => (keys.length > 0 ? keys : undefined));
      const rest = options({ except, skip, special: lenses(plan.special) });
      return call('mapOf', emitter.lens(plan.value, `${hint}Value`), ...rest);
    }
    case 'firstOfHub':
    case 'firstOfSpoke': {
      const rest = options({ required: plan.required || undefined, key: plan.key });
      return call(plan.kind, emitter.lens(plan.element, `${hint}Item`), ...rest);
    }
    case 'mapAsList':
    case 'listAsMap':
      return call(plan.kind, emitter.lens(plan.entry, `${hint}Entry`), value({ ...plan.index }));
    case 'boxedHub':
    case 'boxedSpoke':
      return call(plan.kind, emitter.lens(plan.inner, `${hint}Object`));
    case 'copy':
    case 'scope':
    case 'type':
      return emitter.lens(plan, hint);
  }
}

/** The rule `join` over several fields as an expression. */
export function joinExpression({ hub, spoke, rule }: SeveralLink, emitter: Emitter): Expression {
  const [ours, theirs] = [hub, spoke].map((leaves) => leaves.map(({ steps }) => stepsText(steps)));
  const inSpoke = hub.length > 1;
  const fn = emitter.use(inSpoke ? 'joinedInSpoke' : 'joinedInHub');
  return new Call(
    fn,
    [inSpoke ? ours : ours[0], inSpoke ? theirs[0] : theirs, rule.options.separator!].map(value),
  );
}

/** An options object of the members that are given; nothing when there are none. */
function options(members: { [name: string]: Printable }): Expression[] {
  return Object.values(members).every((member) => member === undefined) ? [] : [value(members)];
}
