import type Ajv from 'ajv';
import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import { _, type Code, type CodeGen, type Name, not, or, stringify } from 'ajv/dist/compile/codegen';
import names from 'ajv/dist/compile/names';
import { alwaysValidSchema, Type } from 'ajv/dist/compile/util';
import reference from 'ajv/dist/vocabularies/core/ref';
import { MAX_ERRORS } from '../../../templates/runtime/validation/field-rules';
import { linearPattern } from '../../pattern/pattern';

/** Up to this many names and values are compared one by one, more are looked up in a Set. */
const [FEW_NAMES, FEW_VALUES] = [4, 16];

const enough = _`${names.errors} >= ${MAX_ERRORS}`;

/** Every element, until there are enough errors. */
const items: CodeKeywordDefinition = {
  keyword: 'items',
  type: 'array',
  schemaType: 'object',
  code(cxt) {
    const { gen, data, schema, it } = cxt;
    if (alwaysValidSchema(it, schema)) return;
    const length = gen.const('len', _`${data}.length`);
    gen.forRange('i', 0, length, (i) => {
      cxt.subschema({ keyword: 'items', dataProp: i, dataPropType: Type.Num }, gen.name('valid'));
      gen.if(enough, () => gen.break());
    });
  },
};

/** Undeclared members of an object, or the values of a map, until there are enough errors. */
const additionalProperties: CodeKeywordDefinition = {
  keyword: 'additionalProperties',
  type: 'object',
  schemaType: ['boolean', 'object'],
  error: { message: '', params: ({ params }) => _`{additionalProperty: ${params['key']}}` },
  code(cxt) {
    const { gen, data, schema, it, parentSchema } = cxt;
    const declared = Object.keys((parentSchema['properties'] as object | undefined) ?? {});
    if (schema !== false && alwaysValidSchema(it, schema)) return;
    gen.forIn('key', data, (key) => {
      if (schema === false) {
        gen.if(not(isDeclared(cxt, declared, key)), () => {
          cxt.setParams({ key });
          cxt.error();
        });
      } else {
        const value = { keyword: 'additionalProperties', dataProp: key, dataPropType: Type.Str };
        cxt.subschema(value, gen.name('valid'));
      }
      gen.if(enough, () => gen.break());
    });
  },
};

function isDeclared({ gen }: KeywordCxt, declared: string[], key: Name): Code {
  if (declared.length === 0) return _`false`;
  if (declared.length <= FEW_NAMES) return or(...declared.map((name) => _`${key} === ${name}`));
  return _`${setOf(gen, declared)}.has(${key})`;
}

/** Returns the name of a constant that is the Set of some values. `list` is the code of these values. */
function setOf(gen: CodeGen, values: readonly unknown[], list: Code = stringify(values)): Name {
  const key = `Set ${stringify(values).toString()}`;
  return gen.scopeValue('obj', { ref: new Set(values), key, code: _`new Set(${list})` });
}

/**
 * One of a few values. ajv's own keyword carries the whole schema into the generated code, and fails a second time
 * where the type is wrong already.
 */
const oneof: CodeKeywordDefinition = {
  keyword: 'enum',
  schemaType: 'array',
  error: { message: '', params: ({ params }) => _`{allowedValues: ${params['values']}}` },
  code(cxt) {
    const { gen, data, schema } = cxt;
    const code = stringify(schema);
    const values = gen.scopeValue('obj', { ref: schema, key: code.toString(), code });
    cxt.setParams({ values });
    const allowed = schema as unknown[];
    const isAllowed =
      allowed.length <= FEW_VALUES
        ? _`${values}.includes(${data})`
        : _`${setOf(gen, allowed, values)}.has(${data})`;
    cxt.fail(_`typeof ${data} === ${typeof allowed[0]} && !${isAllowed}`);
  },
};

/** Elements whose identifying field repeats that of an earlier element. */
const listKey: CodeKeywordDefinition = {
  keyword: 'x-list-key',
  type: 'array',
  schemaType: 'string',
  error: {
    message: '',
    params: ({ params, schema }) => _`{index: ${params['index']}, key: ${schema}}`,
  },
  code(cxt) {
    const { gen, data, schema } = cxt;
    const find = gen.scopeValue('func', { ref: 'repeatedKeys', code: _`repeatedKeys` });
    gen.forOf('index', _`${find}(${data}, ${schema})`, (index) => {
      cxt.setParams({ index });
      cxt.error();
    });
  },
};

/** A pattern that occurs anywhere in a string, in linear time. */
const pattern: CodeKeywordDefinition = {
  keyword: 'pattern',
  type: 'string',
  schemaType: 'string',
  error: { message: '', params: ({ schema }) => _`{pattern: ${schema}, exhausted: isExhausted()}` },
  code(cxt) {
    const { gen, data, schema } = cxt;
    const code = _`linearPattern(RE2Set, ${stringify(translated(schema as string))})`;
    cxt.fail(_`!${gen.scopeValue('pattern', { ref: schema, key: schema as string, code })}.test(${data})`);
  },
};

/** The pattern for the linear engine, without what it does not use. */
function translated(pattern: string): object {
  const { none, ...others } = linearPattern(pattern);
  return none.length > 0 ? { none, ...others } : others;
}

/** A shared type, unless there are enough errors: ajv joins those of every call into one list. */
const ref: CodeKeywordDefinition = {
  ...reference,
  keyword: '$ref',
  code(cxt) {
    cxt.gen.if(not(enough), () => reference.code(cxt));
  },
};

/** Puts keywords whose work is bounded in place of ajv's own. */
export function boundKeywords(ajv: Ajv): Ajv {
  for (const keyword of [items, additionalProperties, oneof, pattern, ref]) {
    ajv.removeKeyword(keyword.keyword as string).addKeyword(keyword);
  }
  return ajv.addKeyword(listKey);
}
