import { DARK, LIGHT, MONO, SANS } from './page-style';

/** Colours of the methods: of a label with white text, and in dark mode. */
const METHODS: { [method: string]: [light: string, dark: string] } = {
  get: ['#0a57a4', '#1c5c9c'],
  post: ['#176b3c', '#1d6b3f'],
  put: ['#8f4a00', '#8a4b0a'],
  patch: ['#00666b', '#0d666b'],
  delete: ['#b3261e', '#a8322b'],
};

const METHOD_RULES = Object.entries(METHODS)
  .map(
    ([method, [light, dark]]) => `
.swagger-ui .opblock.opblock-${method} { --method: ${light}; }
html.dark-mode .swagger-ui .opblock.opblock-${method} { --method: ${dark}; }`,
  )
  .join('');

/**
 * Style rules that the page at `/docs` adds to Swagger UI: the colours of `/`, readable contrast (WCAG AA), and tables
 * that fit on a phone. `html.dark-mode` is Swagger UI's own; it follows the system and has a switch.
 */
export const DOCS_STYLE = `
:root { ${LIGHT} }
html.dark-mode { ${DARK} }
body, html.dark-mode body, html.dark-mode .swagger-ui { margin: 0; background: var(--page); color: var(--text); -webkit-text-size-adjust: 100%; }
noscript { display: block; margin: 4.5rem 2rem 2rem; font: 1rem/1.5 ${SANS}; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.swagger-ui, .swagger-ui :is(p, a, b, h2, h3, h4, h5, label, button, select, input, table, thead tr :is(td, th), .info .title, .info p, .info li, .opblock-tag, .opblock-description-wrapper, .opblock-external-docs-wrapper, .opblock .opblock-section-header h4, .parameter__name, .parameter__type, .parameter__in, .response-col_status, .response-col_links, .tab li, .model-title, .model, .btn, .opblock-summary-description, .responses-inner :is(h4, h5), .dialog-ux .modal-ux-content p, section.models h4) { color: var(--text); font-family: ${SANS}; }
.swagger-ui :is(.wrapper, .information-container.wrapper) { max-width: 70rem; padding: 0 1.25rem; }
.swagger-ui .info { margin: 2rem 0 1.5rem; max-width: 48rem; }
.swagger-ui .info .title { font-size: 2rem; letter-spacing: -.02em; overflow-wrap: anywhere; }
.swagger-ui .info .title small { position: static; display: inline-block; padding: .15rem .6rem; margin-left: .5rem; vertical-align: middle; background: var(--code); }
.swagger-ui .info .title small pre, .swagger-ui .info .title small.version-stamp pre { color: var(--text); }
.swagger-ui :is(.info, .renderedMarkdown, .opblock-description) p { font-size: .95rem; line-height: 1.55; }
.swagger-ui :is(.info a, a.nostyle:not(.opblock-summary a, .opblock-tag a), .link, .info__extdocs) { color: var(--link); }
.swagger-ui :is(.info, .markdown, .renderedMarkdown) code { padding: .1rem .35rem; border-radius: .25rem; background: var(--code); color: var(--text); font: 500 .875em ${MONO}; }
/* There is one server and no licence to show. */
.swagger-ui :is(.scheme-container:not(:has(.auth-wrapper)), .info__license) { display: none; }

.swagger-ui .topbar, html.dark-mode .swagger-ui .topbar { background: var(--card); border-bottom: 1px solid var(--line); padding: .6rem 0; }
.home { position: absolute; z-index: 1; left: max(1.25rem, 50vw - 33.75rem); top: 0; line-height: 3.75rem; max-width: 40vw; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; color: var(--link); font-family: ${SANS}; font-weight: 600; text-decoration: none; }
.home:hover { text-decoration: underline; }
.swagger-ui .topbar .download-url-wrapper { flex: 1; justify-content: flex-end; min-width: 0; }
.swagger-ui .topbar .download-url-wrapper .select-label { max-width: 26rem; color: var(--soft); font-weight: 400; }
.swagger-ui .topbar .download-url-wrapper .select-label select { min-width: 0; max-width: 100%; }
.swagger-ui .info :is(.title, .base-url, a, p, li, code) { overflow-wrap: anywhere; }
.swagger-ui .topbar .download-url-wrapper .select-label > span { color: var(--soft); font-size: .9rem; white-space: nowrap; }
.swagger-ui select, .swagger-ui .topbar .download-url-wrapper .select-label select { border: 1px solid var(--soft); border-radius: .4rem; box-shadow: none; color: var(--text); background-color: var(--card); font-weight: 500; }
/* WebKit lets the page scroll as far as a long option would reach. */
.swagger-ui select { overflow: hidden; text-overflow: ellipsis; }
.swagger-ui .topbar .dark-mode-toggle button svg { fill: var(--soft); }
.swagger-ui .filter .operation-filter-input { margin: 0; padding: .7rem 1rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--card); color: var(--text); }
.swagger-ui.swagger-ui ::placeholder, html.dark-mode .swagger-ui :is(input, textarea)::placeholder { color: var(--soft); opacity: 1; }
.swagger-ui :is(input, textarea) { color: var(--text); background: var(--card); border-color: var(--soft); }

.swagger-ui .opblock-tag { padding: .9rem .25rem; border-bottom: 1px solid var(--line); font-size: 1.25rem; }
.swagger-ui .opblock-tag :is(a, span), .swagger-ui .model-title, .swagger-ui .json-schema-2020-12__title { min-width: 0; overflow-wrap: anywhere; }
/* Some browsers have dark buttons. */
html .swagger-ui.swagger-ui.swagger-ui .json-schema-2020-12-accordion { background: transparent; }
.swagger-ui .opblock-tag small, .swagger-ui .opblock-tag small .renderedMarkdown p { margin: 0; color: var(--soft); font-size: .95rem; line-height: 1.4; }
.swagger-ui .opblock-tag :is(svg), .swagger-ui .opblock svg.arrow, .swagger-ui .opblock-control-arrow svg { fill: var(--soft); }
.swagger-ui .opblock.opblock, html.dark-mode .swagger-ui .opblock.opblock { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--method, var(--soft)); border-radius: .5rem; box-shadow: none; }
.swagger-ui .opblock.opblock .opblock-summary, html.dark-mode .swagger-ui .opblock.opblock .opblock-summary { border-color: var(--line); }
.swagger-ui .opblock.opblock .opblock-summary-method, html.dark-mode .swagger-ui .opblock.opblock .opblock-summary-method { background: var(--method, #4a5563); color: #fff; text-shadow: none; font-family: ${SANS}; }
.swagger-ui .opblock .opblock-summary :is(.opblock-summary-path, .opblock-summary-path a, .opblock-summary-operation-id, .opblock-summary-path__deprecated) { color: var(--text); font-family: ${MONO}; font-size: .9rem; }
.swagger-ui .opblock .opblock-summary-description { color: var(--soft); font-size: .875rem; }
.swagger-ui .opblock .opblock-section-header, html.dark-mode .swagger-ui .opblock .opblock-section-header { background: var(--code); box-shadow: none; }
.swagger-ui .opblock .tab-header .tab-item.active h4 span::after { background: var(--method, var(--link)) !important; }
.swagger-ui .opblock-deprecated.opblock { opacity: 1; }${METHOD_RULES}

.swagger-ui :is(table thead tr :is(td, th), .parameter__in, .parameter__type, .prop-format, .response-control-media-type__title, .response-control-media-type__accept-message, .model-box-control, .models-control) { color: var(--soft); border-color: var(--line); }
.swagger-ui .parameter__name.required::after, .swagger-ui .parameter__name.required span { color: var(--error); }
.swagger-ui .prop-type { color: var(--link); }
.swagger-ui .response-control-media-type--accept-controller select { border-color: var(--calm-text); }
.swagger-ui .response-col_links, .swagger-ui .responses-table .col_header.response-col_links { display: none; }
.swagger-ui .btn { border-color: var(--soft); box-shadow: none; }
.swagger-ui.swagger-ui.swagger-ui .btn.execute { background: var(--link); border-color: var(--link); color: var(--on-link); }
.swagger-ui.swagger-ui.swagger-ui .btn.cancel { border-color: var(--error); color: var(--error); background: transparent; }
.swagger-ui :is(.highlight-code, .curl-command, .body-param) :is(pre, .microlight), .swagger-ui .example :is(pre, .microlight), .swagger-ui textarea { border-radius: .4rem; font-size: .8rem; }
.swagger-ui .body-param textarea { font-family: ${MONO}; min-height: 12rem; background: var(--card); color: var(--text); border: 1px solid var(--soft); }
.swagger-ui.swagger-ui.swagger-ui .download-contents { background: var(--code); color: var(--text); border: 1px solid var(--soft); }
/* Numbers in examples: their colour stands in the element. */
.swagger-ui .microlight span[style*="211, 99, 99"] { color: #ff9b9b !important; }
.swagger-ui section.models { border-color: var(--line); }
.swagger-ui .headers-wrapper table.headers.headers :is(td, td .renderedMarkdown p) { color: var(--text); font-family: ${SANS}; font-weight: 400; }

@media (max-width: 640px) {
  /* It stays the name of the choice for those who listen to the page. */
  .swagger-ui .topbar .download-url-wrapper .select-label > span { position: absolute; width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); }
  .swagger-ui .topbar .wrapper .topbar-wrapper { flex-flow: row nowrap; }
  .swagger-ui .topbar .download-url-wrapper .select-label { width: 46vw; }
  .swagger-ui .info .title { font-size: 1.6rem; }
  .swagger-ui .filter-container .operation-filter-input { width: 100%; max-width: none; }
  .swagger-ui .filter-container .col-12 { max-width: 100%; width: 100%; padding: 0 1.25rem; }
  .swagger-ui .parameter__name { font-size: .9rem; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; font-size: 1.1rem; }
  .swagger-ui .opblock-tag small { flex-basis: 80%; order: 3; padding: 0; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; padding: .4rem; }
  .swagger-ui .opblock .opblock-summary-description { display: none; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 4.5rem; padding: .35rem 0; font-size: .75rem; }
  .swagger-ui .opblock .opblock-summary-path { max-width: none; }
  .swagger-ui .opblock-body table tbody tr td:first-of-type { min-width: 3rem; max-width: 34vw; padding-right: .6rem; overflow-wrap: break-word; }
  .swagger-ui .opblock-body table.parameters tbody tr td:first-of-type { min-width: 6.75rem; }
  .swagger-ui :is(.parameters-container .table-container, .responses-inner, .opblock-section-header, .opblock-description-wrapper) { padding: .75rem; }
  .swagger-ui .headers-wrapper { overflow-x: auto; }
  .swagger-ui :is(.parameters-col_description input, .parameters-col_description select, .body-param textarea) { width: 100%; max-width: 100%; }
  .swagger-ui .opblock-body pre { word-break: break-word; }
  .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; }
}
`;
