/** The field rules without a value, such as `required`. */
export const BARE_RULES = ['required', 'email', 'url', 'ip', 'unique', 'immutable'] as const;

/** The field rules with a value, such as `min=1`. */
export const RULES_WITH_VALUE = ['min', 'max', 'gt', 'lt', 'oneof', 'pattern'] as const;

/** The name of a field rule. */
export type FieldRule = (typeof BARE_RULES | typeof RULES_WITH_VALUE)[number];
