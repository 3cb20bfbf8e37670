import type { SelectableField } from '../../model/kinds/kind-data';
import { HttpProblem } from '../../model/problem';
import type { Json } from '../../model/schema';
import { type Key, keyOf } from '../../store/indexing/key';
import type { Bound, FieldRequirement } from '../../store/indexing/requirement';
import { selectableIn } from '../plan/kind-plan';
import { parseFieldSelector, type Term } from './field-selector';
import { fieldName, namedField, type Words } from './named-field';

/** Maximum number of terms of one request, and of their values in all. */
const MAX_TERMS = 100;
const MAX_VALUES = 1_000;

/**
 * Returns the requirements of field selectors, all of which apply, in the words of a version. Throws HttpProblem 400 for a
 * malformed selector, for a field that is not selectable, and for a value of another type than its field.
 */
export function fieldRequirements(words: Words, selectors: readonly string[]): FieldRequirement[] {
  const terms = selectors.flatMap(parseFieldSelector);
  const values = terms.reduce((sum, term) => sum + term.values.length, 0);
  if (terms.length > MAX_TERMS || values > MAX_VALUES)
    throw new HttpProblem(
      400,
      `Fields may be selected by ${MAX_TERMS} terms with ${MAX_VALUES} values in all.`,
    );
  const fields = selectableIn(words.kind.data!, words.version);
  const use = { ...words, parameter: 'fieldSelector', sort: 'selectable field' } as const;
  return terms.map((term) => requirementOf(term, namedField(term.field, fields, use)));
}

function requirementOf({ operator, values }: Term, field: SelectableField): FieldRequirement {
  const { index } = field;
  switch (operator) {
    case 'present':
    case 'absent':
      return { index, operator };
    case 'in':
    case 'notin':
      return { index, operator, keys: [...new Set(values.map((value) => keyOfText(value, field)))] };
    default: {
      if (field.type === 'boolean')
        throw new HttpProblem(
          400,
          `Field selector: ${fieldName(field)} is a boolean, which ${operator} does not compare.`,
        );
      const bound: Bound = { key: keyOfText(values[0], field), isIncluded: operator.endsWith('=') };
      return { index, operator: 'range', ...(operator.startsWith('<') ? { to: bound } : { from: bound }) };
    }
  }
}

/** A number as JSON has it (RFC 8259, section 6). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the key of a value that a client wrote. Throws HttpProblem 400 for one of another type. */
function keyOfText(text: string, field: SelectableField): Key {
  // An integer may be compared with any number.
  const key = keyOf(valueOf(text, field), field.type === 'integer' ? 'number' : field.type);
  if (key !== undefined) return key;
  throw new HttpProblem(
    400,
    `Field selector: ${fieldName(field)} is ${typeName(field)}, not ${JSON.stringify(text.slice(0, 50))}.`,
  );
}

function typeName({ type }: SelectableField): string {
  return type === 'integer' ? 'an integer' : `a ${type}`;
}

function valueOf(text: string, { type }: SelectableField): Json | undefined {
  if (type === 'number' || type === 'integer') return NUMBER.test(text) ? Number(text) : undefined;
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : undefined);
  return text;
}
