import { DARK, LIGHT, MONO, SANS } from './page-style';

/** The style sheet of the page at `/`. */
export const LANDING_STYLE = `
:root { ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 ${SANS}; -webkit-text-size-adjust: 100%; }
main { max-width: 58rem; margin: 0 auto; padding: clamp(2rem, 7vw, 4.5rem) 1.25rem 4rem; }
h1 { margin: 0; font-size: clamp(1.9rem, 6vw, 2.75rem); font-weight: 700; line-height: 1.15; letter-spacing: -.02em; overflow-wrap: anywhere; }
h2 { margin: 3rem 0 .75rem; font-size: 1.05rem; font-weight: 600; overflow-wrap: anywhere; }
.lead { margin: .6rem 0 1.6rem; font-size: 1.1rem; color: var(--soft); }
a { color: var(--link); text-decoration: none; border-radius: .3rem; }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0; }
.button { padding: .6rem 1.15rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); font-weight: 600; }
.button.first { background: var(--link); border-color: var(--link); color: var(--on-link); }
.button:hover { border-color: var(--link); text-decoration: underline; }
.kinds { margin: 0; padding: 0; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
.kinds li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1.5rem; padding: .85rem 1.15rem; border-top: 1px solid var(--line); }
.kinds li:first-child { border-top: 0; }
.kind { display: inline-flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .75rem; overflow-wrap: anywhere; }
.kind b { font-size: 1.05rem; }
.kind:hover b, .card:hover b, .version:hover { text-decoration: underline; }
code { font: .875rem ${MONO}; color: var(--soft); }
.versions { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; font-size: .875rem; }
.note { color: var(--soft); }
.version { padding: .1rem .7rem; border-radius: 1rem; background: var(--warn); color: var(--warn-text); font-weight: 500; }
.version.stable { background: var(--calm); color: var(--calm-text); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: .75rem; }
.card { padding: .8rem 1.15rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
.card:hover { border-color: var(--link); }
.card b, .card span { display: block; }
.card span { font-size: .9rem; color: var(--soft); }
@media (prefers-reduced-motion: no-preference) { .button, .card { transition: border-color .15s; } }
`;
