import { expect, test } from 'vitest';
import { sanitiseHtml } from '#lib/system/html-allow-list';
import { markdownToHtml } from '#lib/system/markdown';
import { admin, post } from '../integration/service.ts';
import { attacksIn, CONTEXTS } from '../unit/system/xss-contexts.ts';
import VECTORS from '../unit/system/xss-vectors.json' with { type: 'json' };
import { openContext } from './browser.ts';
import { type Content, openSite } from './site.ts';

/** The answer of the service to each vector. */
const answers = await Promise.all(
  VECTORS.map(async (painput) => {
    const reply = await post('/api/core/system/preview', { ...admin, json: { painput } });
    if (reply.status !== 200) throw new Error(`preview answered ${reply.status}: ${reply.text}`);
    return reply;
  }),
);

/** Vectors of a page, since each page is a frame with processes of its own. */
const VECTORS_PER_PAGE = 28;

/** Pages of many vectors each, of which those that are not sanitised may swallow what follows. */
const pages = (
  htmls: readonly string[],
  headers: Content['headers'] = {},
  size = VECTORS_PER_PAGE,
): Content[] =>
  htmls.flatMap((_, nth) =>
    nth % size === 0 ? [{ body: htmls.slice(nth, nth + size).join('\n'), headers }] : [],
  );

const sanitised = answers.map(({ text }) => text);
const unsanitised = VECTORS.map((vector) => `${markdownToHtml(vector)}\n${vector}`);
const headers = Object.fromEntries(
  ['content-type', 'content-security-policy', 'x-content-type-options'].map((name) => [
    name,
    answers[0]?.headers.get(name) as string,
  ]),
);

const EXECUTED = 'executed in ';

/** Runs first in each page: it records calls of an alert, and sets a readable cookie. */
const OBSERVED = `for (const name of ['alert', 'msgbox'])
  window[name] = () => console.log('${EXECUTED}' + location.pathname);
document.cookie = 'readable=1';`;

/** Does to every element what people can do, but follows no link to a page. */
const USED = `for (const element of document.querySelectorAll('*')) {
  if (/^(https?|ftp|mailto|tel|xmpp|file|blob|feed):$/.test(element.protocol)) element.removeAttribute('href');
  for (const type of ['mouseover', 'click', 'focus', 'change', 'toggle', 'start'])
    element.dispatchEvent(new MouseEvent(type, { cancelable: true }));
}`;

/** Opens each page in a frame and uses it; returns the effects. */
async function open(contents: readonly Content[]) {
  const site = await openSite();
  for (const [nth, content] of contents.entries()) site.put(`/${nth}`, content);
  const frames = contents.map((_, nth) => `<iframe src="/${nth}"></iframe>`);
  site.put('/all', { body: `<!doctype html><title>All</title>${frames.join('')}` });

  const context = await openContext();
  const executed = new Set<string>();
  const elsewhere: string[] = [];
  await context.addInitScript(OBSERVED);
  context.on('console', (line) => {
    if (line.text().startsWith(EXECUTED)) executed.add(line.text());
  });
  context.on('dialog', (dialog) => {
    executed.add(`${dialog.type()}: ${dialog.message()}`);
    return dialog.dismiss();
  });
  await context.route(
    (url) => url.origin !== site.sameSite,
    (route) => {
      elsewhere.push(route.request().url());
      return route.abort();
    },
  );
  const page = await context.newPage();
  await page.goto(`${site.sameSite}/all`);
  const children = page.mainFrame().childFrames();
  const paths = () => children.map((frame) => new URL(frame.url()).pathname);
  const opened = paths();
  const cookies = await Promise.all(
    children.map((frame) => frame.evaluate('document.cookie').catch(() => 'unreadable')),
  );
  await Promise.all(children.map((frame) => frame.evaluate(USED).catch(() => undefined)));
  // Lets the page finish the effects of a click on an address.
  await page.evaluate('new Promise((done) => requestIdleCallback(done))');
  const found = {
    executed: [...executed],
    elsewhere,
    cookies: [...new Set(cookies)],
    stayed: page.url() === `${site.sameSite}/all` && `${paths()}` === `${opened}`,
    opened,
  };
  await context.close();
  return found;
}

test('attacks without any protection run, query other hosts and read cookies', async () => {
  const contents = pages(unsanitised);
  const found = await open(contents);
  // A vector that opens a comment or a raw text may swallow all of its page.
  expect(found.executed.length).toBeGreaterThanOrEqual(contents.length - 2);
  expect(found.elsewhere).toContain('https://evil.example/x.js');
  expect(found.cookies).toContain('readable=1');
});

test('the sanitiser alone stops the attacks', async () => {
  const nothing = { executed: [], elsewhere: [], stayed: true };
  expect(await open(pages(sanitised))).toMatchObject({ ...nothing, cookies: ['readable=1'] });
});

test('the sanitiser alone stops the attacks in other elements, nestings and Markdown', async () => {
  const attacks = CONTEXTS.flatMap(attacksIn);
  const htmls = attacks.flatMap((attack) => [sanitiseHtml(attack), sanitiseHtml(markdownToHtml(attack))]);
  const found = await open(pages(htmls, {}, 2000));
  expect(found).toMatchObject({ executed: [], elsewhere: [], stayed: true, cookies: ['readable=1'] });
});

test('the Content-Security-Policy alone stops the attacks', async () => {
  const found = await open(pages(unsanitised, headers));
  expect(found).toMatchObject({ executed: [], elsewhere: [], cookies: ['unreadable'] });
});

test('a table of contents leads to its headings', async () => {
  const painput = `[down](#größe)\n${'\n\nfar'.repeat(100)}\n\n## Größe`;
  const { text } = await post('/api/core/system/preview', { ...admin, json: { painput } });
  const site = await openSite();
  site.put('/', { body: text, headers });
  const context = await openContext();
  const page = await context.newPage();
  await page.goto(site.sameSite);
  await page.getByRole('link', { name: 'down' }).click();
  await expect
    .poll(() =>
      page
        .getByRole('heading', { name: 'Größe' })
        .boundingBox()
        .then((box) => box?.y),
    )
    .toBeLessThan(page.viewportSize()?.height as number);
  await context.close();
});
