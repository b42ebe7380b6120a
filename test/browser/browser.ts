import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type BrowserContextOptions, type CDPSession, chromium, type Page } from 'playwright-core';
import { baseUrl } from '../integration/service.ts';
import { CHROMIUM } from './project.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One Chromium for each worker, which ends with it. */
export const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: [
    // Chromium does not sandbox itself as root. What it opens here are pages of these tests.
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});

/** Opens a profile of its own, until the end of the test file. */
export async function openContext(options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  // In milliseconds: ends waits for what never comes, on a busy machine too.
  context.setDefaultTimeout(60_000);
  return context;
}

/** Connects a device for passkeys, whose user touches it at once. @returns its ID */
export async function connectDevice(tools: CDPSession): Promise<string> {
  const { authenticatorId } = await tools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

/** Collects the offences of a page: errors and warnings other than `expected` ones, and requests to other origins. */
export function offencesOf(page: Page, expected = /^$/, base = baseUrl): string[] {
  const offences: string[] = [];
  page.on('console', (line) => {
    if (/error|warning/.test(line.type()) && !expected.test(line.text())) offences.push(line.text());
  });
  page.on('pageerror', ({ message }) => offences.push(message));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${base}/`))
      offences.push(request.url());
  });
  return offences;
}

/** The buttons and links without a name in Chromium, which finds fewer names than axe. */
export async function unnamed(page: Page): Promise<string[]> {
  const tools = await page.context().newCDPSession(page);
  const { nodes } = await tools.send('Accessibility.getFullAXTree');
  await tools.detach();
  return nodes
    .filter(({ role, name, ignored }) => !ignored && /^(button|link)$/.test(role?.value) && !name?.value)
    .map(({ role, properties }) => `no name: ${role?.value} ${JSON.stringify(properties)}`);
}

/** The rules of WCAG 2.2 up to AA. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Faults that axe finds in the elements of a selector: `<impact> <rule>: <element> <what to do>`. */
export async function violations(page: Page, selector: string, options: object = {}): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const run = `axe.run('${selector}', ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`;
  const found = (await page.evaluate(run)) as {
    violations: { impact: string; id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return found.violations.flatMap(({ impact, id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html.slice(0, 400)} ${failureSummary}`),
  );
}

/** What breaks a part of a page, on a desk in light and on a phone in dark. */
export async function faultsInBothSchemes(page: Page, selector: string): Promise<string[]> {
  const found: string[] = [];
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
    found.push(...(await violations(page, selector, { runOnly: WCAG })));
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
      found.push(`${selector} scrolls sideways at ${width}`);
  }
  return found;
}
