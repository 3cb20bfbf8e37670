/** Colours of the service's own pages, properties of `:root` by name. Combined pairs pass WCAG AA. */
export const LIGHT = `--text: #17202b; --soft: #556373; --line: #d9e0e8; --page: #f6f8fa; --card: #fff; --code: #eef2f6; --link: #0a57a4; --on-link: #fff; --calm: #e3f3e8; --calm-text: #175a33; --warn: #fdf0d5; --warn-text: #744600; --error: #b3261e; color-scheme: light;`;
export const DARK = `--text: #e6ebf1; --soft: #a3b0be; --line: #323d49; --page: #12171d; --card: #1a2129; --code: #242d37; --link: #82bcff; --on-link: #0b1a2b; --calm: #1b3a29; --calm-text: #97dcb2; --warn: #41330f; --warn-text: #f1cd80; --error: #ff9a92; color-scheme: dark;`;

export const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
export const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

/** Icon of the pages, as a data URL that needs no request: a stack of three layers. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0a57a4"/><path d="M16 6 26 11.5 16 17 6 11.5z" fill="#fff"/><path d="m6 16.3 10 5.5 10-5.5M6 20.9l10 5.5 10-5.5" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"/></svg>',
)}`;
