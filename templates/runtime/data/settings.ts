import { addSettings, integer, type ValuesOf } from '../settings/settings';

const DATA = {
  CASCADE_MAX: integer(
    1_000,
    0,
    1_000_000,
    'Maximum number of other resources that a deletion may delete or change',
  ),
} as const;

declare module '../settings/settings' {
  interface Settings extends ValuesOf<typeof DATA> {}
}

addSettings(DATA);
