import { login } from '#lib/account/contracts';

/** URL of an instance in the guide and in examples; the page replaces it by its own. */
export const EXAMPLE_URL = 'https://core.example.com';

/**
 * Colours with a contrast of at least 4.5 on all backgrounds of the renderer (WCAG 2.2), since its own have less. And
 * corrections of its layout: forms fit a phone, all status tabs show, public operations have no credential, and events
 * cannot be sent.
 */
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
section[tabindex="-1"]:focus { outline: none; }
.scalar-card-header-tabs :is(.scalar-card-header-title, .tab-list) { flex-wrap: wrap; overflow: visible; }
.scalar-client .cm-content { flex-shrink: 1; overflow-wrap: anywhere; white-space: break-spaces; }
.scalar-client .request-section-content[role=tabpanel] { overflow-x: hidden; }
tr.alert:has([data-placeholder=Value]:empty) td { background: none; }
tr.alert:has([data-placeholder=Value]:empty) button[role=alert],
[id*="/webhook/"] .show-api-client-button,
[selectedsecurityschemes]:has(h2):not(:has([data-testid=auth-indicator])) { display: none; }
@media (max-width: 767px) { .scalar-sidebar-toggle { display: none; } }
.use-token {
  position: fixed; z-index: 20; bottom: 16px; left: 50%; transform: translateX(-50%); width: max-content;
  padding: 12px 20px; border-radius: 8px; background: var(--scalar-button-1); color: var(--scalar-button-1-color);
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
let reference;
const offer = Object.assign(document.createElement('button'), { className: 'use-token', type: 'button' });
// A field that was left empty is no credential: the cookie may be one.
const onBeforeRequest = ({ request }) => {
  if (/^Bearer\\s*$/.test(request.headers.get('authorization') ?? '')) request.headers.delete('authorization');
  offer.remove();
};
const onResponseReceived = async ({ request, response }) => {
  if (!response.ok || !request.url.endsWith('${login.path}')) return;
  const { data } = await response.clone().json();
  offer.textContent = 'Use this token';
  offer.onclick = () => {
    const { authentication, ...others } = reference.getConfiguration();
    const securitySchemes = { ...authentication.securitySchemes, session: { token: data.JWTtoken } };
    reference.updateConfiguration({ ...others, authentication: { ...authentication, securitySchemes } });
    // A token that was typed would win.
    for (const field of document.querySelectorAll('input[placeholder=Token]')) {
      field.value = data.JWTtoken;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    offer.textContent = 'Requests now use this token';
    setTimeout(() => offer.remove(), 3000);
  };
  document.querySelector('[role=dialog]').append(offer);
};
fetch(url).then((response) => response.text()).then((text) => {
  const content = text.replaceAll('${EXAMPLE_URL}', new URL('../..', url).href.replace(/\\/$/, ''));
  const options = { content, onBeforeRequest, onResponseReceived, ...${JSON.stringify(OPTIONS)} };
  reference = Scalar.createApiReference('#docs', options);
});
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
