import { siteStorage } from '../data/storage';

/** The look that the user has chosen; undefined for that of the system. */
export type Look = 'light' | 'dark' | undefined;

const KEY = 'console.look';

/** Applies the chosen look. */
export function applyLook(): void {
  const look = readLook();
  if (look === undefined) delete document.documentElement.dataset['look'];
  else document.documentElement.dataset['look'] = look;
}

/** Returns whether the page is dark now. */
export function isDark(): boolean {
  const look = readLook();
  return look === undefined ? window.matchMedia('(prefers-color-scheme: dark)').matches : look === 'dark';
}

/** Changes between light and dark. */
export function switchLook(): void {
  siteStorage.setItem(KEY, isDark() ? 'light' : 'dark');
  applyLook();
}

function readLook(): Look {
  const look = siteStorage.getItem(KEY);
  return look === 'light' || look === 'dark' ? look : undefined;
}
