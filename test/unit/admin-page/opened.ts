import { Script } from 'node:vm';
import * as signals from '@preact/signals';
import { build } from 'esbuild';
import * as preact from 'preact';
import { type ComponentChild, type ComponentType, h, options, render } from 'preact';
import * as hooks from 'preact/hooks';
import * as jsxRuntime from 'preact/jsx-runtime';
import { onTestFinished, vi } from 'vitest';
import { Notices } from '../../../infra/admin-page/notice.tsx';
import type { Language } from '../../../lib/admin-page/languages.ts';

const BASE = '/api/core/';

/** A request of the page, which a test may answer later. */
export interface Sent {
  readonly method: string;
  /** Below `/api/core/`, without its query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  readonly body: any;
  readonly headers: Headers;
  readonly credentials: RequestCredentials | undefined;
  readonly signal: AbortSignal;
  readonly answer: (data: object, message?: string, headers?: HeadersInit) => void;
  /** Answers with the HTML of the page. */
  readonly page: (html: string) => void;
  readonly refuse: (status: number, code?: string, errors?: readonly object[], headers?: HeadersInit) => void;
}

/** Data for requests by the beginnings of their paths; requests without data wait. */
export type Answers = Readonly<Record<string, (sent: Sent) => object | undefined>>;

const ADMINISTRATOR = { user: { username: 'ada' }, roles: ['sys_administrator'] };

/** The profile of the person at the page; requests of other profiles wait. */
const ownProfile: Answers = {
  'account/profile': ({ path }) => (path === 'account/profile' ? ADMINISTRATOR : undefined),
};

/** Replaces `fetch`, with what it was called for in the order of the calls. */
export function scriptFetch(answers: Answers = {}): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const signal = init.signal as AbortSignal;
    signal.throwIfAborted();
    const { pathname, searchParams } = new URL(input);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    signal.addEventListener('abort', () => reject(signal.reason));
    const one: Sent = {
      method: `${init.method}`,
      path: pathname.slice(BASE.length),
      query: Object.fromEntries(searchParams),
      body: init.body && JSON.parse(`${init.body}`),
      headers: new Headers(init.headers),
      credentials: init.credentials,
      signal,
      answer: (data, message = 'Done', headers = {}) =>
        resolve(Response.json({ success: true, message, data }, { headers })),
      page: (html) => resolve(new Response(html)),
      refuse: (status, code, errors = [], headers = {}) =>
        resolve(
          code
            ? Response.json(
                { success: false, message: 'Refused', data: { code, errors } },
                { status, headers },
              )
            : new Response('<html>', { status, headers }),
        ),
    };
    sent.push(one);
    const [, data] = Object.entries(answers).find(([beginning]) => one.path.startsWith(beginning)) ?? [];
    const given = data?.(one);
    if (given) one.answer(given);
    return promise;
  });
  return sent;
}

// Preact's own wait uses `setTimeout`, which some tests replace: no later effect of the worker would run.
options.requestAnimationFrame = (callback) => void setImmediate(callback);

/** Lets the page do all that needs no further answer. */
export async function settle() {
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Renders into an empty page, until the test ends. */
export function show(children: ComponentChild) {
  const draw = (next: ComponentChild) => render(next, document.body);
  onTestFinished(async () => {
    draw(null);
    // Forms report that their requests have ended: no later test of the file may see it.
    await settle();
    draw(h(Notices, {}));
    while (all('button', 'Close').length > 0) await press('Close');
    draw(null);
    history.replaceState(null, '', '/');
    localStorage.clear();
    sessionStorage.clear();
    vi.unstubAllGlobals();
  });
  draw(children);
  return draw;
}

interface Opening {
  readonly address?: string;
  readonly hasSession?: boolean;
  /** ID of the session of this browser. */
  readonly session?: string;
  readonly answers?: Answers;
  /** English by default. */
  readonly language?: Language;
}

/** The packages of the page that its bundle does not contain; the others would be there twice. */
const EXTERNAL: Readonly<Record<string, object>> = {
  preact,
  'preact/hooks': hooks,
  'preact/jsx-runtime': jsxRuntime,
  '@preact/signals': signals,
};

/**
 * The page in one script for each language. To import its modules again in each test takes ten times the processor time
 * of a test.
 */
const scripts: Partial<Record<Language, Promise<Script>>> = {
  en: bundleOf('infra/admin-page/app.tsx', 'en'),
};

async function bundleOf(entry: string, language: Language): Promise<Script> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'browser',
    external: Object.keys(EXTERNAL),
    conditions: [language, 'module'],
    define: { IS_DEVELOPMENT: 'false' },
  });
  return new Script(`(require, module) => {${outputFiles[0]?.text}\n}`, { filename: entry });
}

/** The page with modules of its own, as a browser loads it. */
async function loadApp(language: Language): Promise<ComponentType> {
  const module = { exports: {} };
  scripts[language] ??= bundleOf('infra/admin-page/app.tsx', language);
  (await scripts[language]).runInThisContext()((name: string) => EXTERNAL[name], module);
  return (module.exports as { readonly App: ComponentType }).App;
}

/** Loads the page as a browser does. */
export async function openPage({
  address = '',
  hasSession = true,
  session = '',
  answers = {},
  language = 'en',
}: Opening = {}) {
  history.replaceState(null, '', `${BASE}admin${address}`);
  if (hasSession) document.documentElement.dataset['session'] = session;
  else delete document.documentElement.dataset['session'];
  const sent = scriptFetch({ ...answers, ...(!answers['account/profile'] && ownProfile) });
  show(h(await loadApp(language), {}));
  await settle();
  return { sent, of: (path: string) => sent.filter((each) => each.path.startsWith(path)) };
}

/** The elements of a selector, by default with any text. */
export const all = (selector: string, text?: string) =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter(
    ({ textContent }) => text === undefined || textContent === text,
  );

/** The texts of the elements of a selector. */
export const texts = (selector: string) => all(selector).map(({ textContent }) => textContent);

/** Presses the uppermost button or link with a text, else the button with this label. */
export async function press(text: string, detail = 1) {
  const labelled = document.querySelectorAll<HTMLElement>(`button[aria-label="${CSS.escape(text)}"]`);
  const pressed = [...labelled, ...all('button, a', text)].at(-1);
  if (!pressed) throw new Error(`No button ${text} in ${document.body.innerHTML}`);
  if (pressed instanceof HTMLAnchorElement) {
    // Other than a browser, the DOM follows a link at some later time.
    history.pushState(null, '', pressed.hash);
    dispatchEvent(new Event('hashchange'));
  } else pressed.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }));
  await settle();
}

/** The uppermost field with a label. */
export function field(label: string): HTMLInputElement {
  const found = all('label', label).at(-1) as HTMLLabelElement | undefined;
  const labelled = found
    ? document.getElementById(found.htmlFor)
    : document.querySelector(`[aria-label="${label}"]`);
  if (!labelled) throw new Error(`No field ${label} in ${document.body.innerHTML}`);
  return labelled as HTMLInputElement;
}

/** Types into fields by their labels. */
export async function fill(values: Readonly<Record<string, string>>) {
  for (const [label, value] of Object.entries(values)) {
    const control = field(label);
    control.value = value;
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }
  await settle();
}

/** Types into fields with a list, and picks the first entry by Enter. */
export async function pick(values: Readonly<Record<string, string>>) {
  for (const [label, text] of Object.entries(values)) {
    await fill({ [label]: text });
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    field(label).dispatchEvent(enter);
    await settle();
  }
}

/** Opens the dialog of an action, fills its fields, and sends it. */
export async function perform(action: string, values: Readonly<Record<string, string>> = {}) {
  await press(action);
  await fill(values);
  await press(action);
}

/** The heading of each open dialog. */
export const dialogs = () => texts('dialog h2');
