import { tabStorage } from './storage';

/** Header values by name: what the user has entered to sign in. */
export interface Credentials {
  [header: string]: string;
}

const KEY = 'console.credentials';

/** Returns the credentials of this tab. They end with it: no other storage and no URL has them. */
export function readCredentials(): Credentials {
  try {
    return JSON.parse(tabStorage.getItem(KEY) ?? '{}') as Credentials;
  } catch {
    return {};
  }
}

/** Replaces the credentials of this tab; an empty value signs out, and drops the unsaved work of the user. */
export function writeCredentials(credentials: Credentials): void {
  const given = Object.entries(credentials).filter(([, value]) => value !== '');
  if (given.length === 0) tabStorage.clear();
  else tabStorage.setItem(KEY, JSON.stringify(Object.fromEntries(given)));
}
