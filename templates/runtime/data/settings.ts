import { addSettings, integer, type ValuesOf } from '../settings/settings';

const DATA = { CASCADE_MAX: integer(1_000, 0, 1_000_000) } as const;

declare module '../settings/settings' {
  interface Settings extends ValuesOf<typeof DATA> {}
}

addSettings(DATA);
