/** Colours with a contrast of at least 4.5 on all backgrounds of the renderer (WCAG 2.2); its own have less. */
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

/** The page requests no other origin: no fonts, proxy, agent or telemetry. It forgets credentials when it closes. */
const OPTIONS = {
  agent: { disabled: true },
  // For a token, the field contains the whole header.
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
 * Corrections for accessibility (WCAG 2.2, found by axe-core), by selector: attributes to set, or to remove if null.
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
 * JavaScript that starts the renderer, at the end of its file: a script in the page would require a weaker
 * Content-Security-Policy.
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
