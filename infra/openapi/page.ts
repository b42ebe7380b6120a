/** Darker, or lighter, than the renderer's own: these have a contrast of 4.5 or more on all of its backgrounds (WCAG 2.2). */
const CSS = `
.light-mode {
  --scalar-color-2: #4a4a4a;
  --scalar-color-3: #5f5f5f;
  --scalar-color-green: #00653c;
  --scalar-color-blue: #005a9e;
  --scalar-color-orange: #8f4700;
  --scalar-color-red: #a8071a;
}
.dark-mode {
  --scalar-color-2: #c4c4c4;
  --scalar-color-3: #a6a6a6;
}
`;

/** Nothing of it asks another origin: no fonts, no proxy, no agent, no telemetry. Credentials go when the page goes. */
const OPTIONS = {
  agent: { disabled: true },
  // Of a token it asks for the whole header.
  authentication: { preferredSecurityScheme: 'session', securitySchemes: { token: { value: 'Token ' } } },
  customCss: CSS,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'json',
  hideClientButton: true,
  mcp: { disabled: true },
  persistAuth: false,
  proxyUrl: '',
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
};

/**
 * What its elements lack for those who do not see them (WCAG 2.2, by axe-core), by selector: the attributes to set, null
 * to take one away.
 */
const ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  'button.group\\/copy-button:not([aria-label])': { 'aria-label': 'Copy' },
  'button.show-more[aria-label]': { 'aria-label': null },
  'button[role=none]': { role: null },
  'ul.endpoints:not([tabindex]), code.custom-scroll:not([tabindex])': { tabindex: '0' },
  '.cm-scroller[tabindex="-1"]': { tabindex: '0' },
  '.cm-content:not([aria-label])': { 'aria-label': 'Text' },
  '.code-input-lite__editor[role=combobox]:not([aria-expanded])': { 'aria-expanded': 'false' },
};

/**
 * What starts the renderer, in JavaScript, at the end of its own file: a script in the page itself would need a
 * Content-Security-Policy that permits others.
 *
 * @see https://scalar.com/products/api-references/configuration
 */
export const START = `{
const url = new URL('../openapi.json', document.currentScript.src).href;
// A field that was left empty is no credential: the cookie may be one.
const onBeforeRequest = ({ request }) => {
  if (/^Bearer\\s*$/.test(request.headers.get('authorization') ?? '')) request.headers.delete('authorization');
};
Scalar.createApiReference('#docs', { url, onBeforeRequest, ...${JSON.stringify(OPTIONS)} });
const complete = () => {
  for (const [selector, attributes] of Object.entries(${JSON.stringify(ATTRIBUTES)}))
    for (const element of document.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes))
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
};
let due = false;
new MutationObserver(() => {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    complete();
  });
}).observe(document.body, { childList: true, subtree: true });
}
`;
