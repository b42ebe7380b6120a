import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract as login } from '#lib/login/login.contract';
import { contract as createLoginToken } from '#lib/token/create-login-token.contract';

/** URL of an instance in the guide and in examples; the page replaces it by its own. */
export const EXAMPLE_URL = 'https://core.example.com';

const partOf = (name: string) => readFileSync(join(import.meta.dirname, 'page', name), 'utf8');

/** The page requests no other origin: no fonts, proxy, agent or telemetry. It forgets credentials when it closes. */
const OPTIONS = {
  agent: { disabled: true },
  // For a token, the field contains the whole header.
  authentication: { preferredSecurityScheme: 'session', securitySchemes: { token: { value: 'Token ' } } },
  customCss: partOf('style.css'),
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
  'button.group\\/copy-button[aria-controls]': { 'aria-controls': null },
  'button.show-more[aria-label]': { 'aria-label': null },
  'button[role=none]': { role: null },
  'ul.endpoints:not([tabindex]), code.custom-scroll:not([tabindex])': { tabindex: '0' },
  '.cm-scroller[tabindex="-1"]': { tabindex: '0' },
  '.cm-content:not([aria-label])': { 'aria-label': 'Text' },
  '.code-input-lite__editor[role=combobox]:not([aria-expanded])': { 'aria-expanded': 'false' },
};

/** Answers with a credential, which one click uses for all further requests, by the scheme and its field in the form. */
const CREDENTIALS = [
  {
    path: login.path,
    property: 'JWTtoken',
    scheme: 'session',
    authorization: 'Bearer ',
    placeholder: 'Token',
  },
  {
    path: createLoginToken.path,
    property: 'value',
    scheme: 'token',
    authorization: 'Token ',
    placeholder: 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT',
  },
];

const SETTINGS = {
  credentials: CREDENTIALS,
  exampleUrl: EXAMPLE_URL,
  options: OPTIONS,
  attributes: ATTRIBUTES,
};

/**
 * JavaScript that starts the renderer, at the end of its file: a script in the page would require a weaker
 * Content-Security-Policy.
 *
 * @see https://scalar.com/products/api-references/configuration
 */
export const START = `{\nconst SETTINGS = ${JSON.stringify(SETTINGS)};\n${partOf('start.js')}}\n`;
