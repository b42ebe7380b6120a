import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { contract } from '#lib/docs/page.contract';
import { listen } from '../../infra/local/machine/listen.ts';
import { openApi } from '../../infra/openapi.ts';
import { CHROMIUM } from '../browser/project.ts';
import { newFolder, removeFolders } from '../unit/support/folder.ts';

/**
 * Measures renderers of OpenAPI documents, each as it comes, with the document and the policy of the documentation page:
 * `infra/openapi/renderers.md` has the table.
 */
interface Renderer {
  /** Name and version in the registry. */
  readonly spec: string;
  readonly script: string;
  readonly style?: string;
  /** Element that the script fills in. */
  readonly markup?: string;
  readonly start?: string;
}

const RENDERERS: readonly Renderer[] = [
  {
    spec: '@scalar/fastify-api-reference@1.72.1',
    script: 'dist/index.js',
    start: "Scalar.createApiReference('#docs', { url: 'openapi.json' })",
  },
  {
    spec: 'redoc@3.0.1',
    script: 'bundles/redoc.standalone.js',
    markup: '<redoc spec-url="openapi.json"></redoc>',
  },
  {
    spec: 'rapidoc@9.3.8',
    script: 'dist/rapidoc-min.js',
    markup: '<rapi-doc spec-url="openapi.json" load-fonts="false"></rapi-doc>',
  },
  {
    spec: 'swagger-ui-dist@5.35.0',
    script: 'swagger-ui-bundle.js',
    style: 'swagger-ui.css',
    start: "SwaggerUIBundle({ url: 'openapi.json', dom_id: '#docs' })",
  },
  {
    spec: '@stoplight/elements@9.0.25',
    script: 'web-components.min.js',
    style: 'styles.min.css',
    markup: '<elements-api apiDescriptionUrl="openapi.json" router="hash"></elements-api>',
  },
];

const SETTLED_MS = 15_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const kB = (text: string | Buffer) => Math.round(Buffer.byteLength(text) / 1000);

/** Its script and its style, as published; the package of Scalar wraps its script, which `renderer.ts` unwraps. */
async function filesOf({ spec, script, style }: Renderer) {
  const folder = newFolder();
  execFileSync('sh', ['-c', `npm pack --silent ${spec} && tar xzf *.tgz`], { cwd: folder, stdio: 'ignore' });
  const read = (file: string) => readFileSync(join(folder, 'package', file), 'utf8');
  const isScalar = spec.startsWith('@scalar');
  const { rendererSource } = await import('../../infra/openapi/renderer.ts');
  return { script: isScalar ? await rendererSource() : read(script), style: style ? read(style) : '' };
}

/** Texts of the elements that the first presses of Tab focus, in shadow roots too. */
const FOCUSED = `(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.textContent.trim() ?? '';
})()`;
const TABS = 80;

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });

async function measure(renderer: Renderer, width: number, colorScheme: 'light' | 'dark') {
  const { script, style } = await filesOf(renderer);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>core-account</title>
    <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
    <link rel="stylesheet" href="style.css"></head><body><div id="docs">${renderer.markup ?? ''}</div>
    <script type="${/^export\b|\bexport\{/m.test(script.slice(-200)) ? 'module' : 'text/javascript'}" src="script.js"></script>
    <script src="start.js"></script></body></html>`;
  const answers: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html', html],
    '/script.js': ['text/javascript', script],
    '/start.js': ['text/javascript', renderer.start ?? ''],
    '/style.css': ['text/css', style],
    '/openapi.json': ['application/json', JSON.stringify(openApi())],
  };
  const policy = contract.headers['content-security-policy'].replace('style-src', "style-src 'self'");
  const server = createServer(({ url = '' }, response) => {
    const [type, text] = answers[url] ?? ['text/plain', ''];
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy });
    response.end(text);
  });
  const { url, close } = await listen(server);
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const foreign = new Set<string>();
  let blocked = 0;
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) foreign.add(request.url());
  });
  page.on('console', (line) => {
    // Chromium reports what the policy blocks as an error, and requests to other origins by their address.
    if (/Content Security Policy/.test(line.text())) {
      blocked += 1;
      const [address] = /https:\/\/[^'"\s]+/.exec(line.text()) ?? [];
      if (address) foreign.add(address);
    }
  });
  await page.goto(url);
  await page.waitForTimeout(SETTLED_MS);
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; impact: string; nodes: unknown[] }[];
  };
  const grave = violations.filter(({ impact }) => /serious|critical/.test(impact));
  const focused: string[] = [];
  for (let nth = 0; nth < TABS; nth++) {
    await page.keyboard.press('Tab');
    focused.push((await page.evaluate(FOCUSED)) as string);
  }
  const row = {
    renderer: renderer.spec,
    width,
    colorScheme,
    kB: kB(script + style),
    gzip: kB(gzipSync(script + style, { level: 9 })),
    axe: grave.reduce((sum, { nodes }) => sum + nodes.length, 0),
    rules: grave.map(({ id }) => id).join(' '),
    blocked,
    foreign: [...new Set([...foreign].map((each) => new URL(each).hostname))].join(' '),
    // An operation, or the group of the first ones.
    tab: focused.some((text) => text.length < 100 && /Log out everywhere|^Sessions/i.test(text)),
    tooWide: (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number,
  };
  await page.close();
  await close();
  return row;
}

const only = process.argv[2] ?? '';
for (const renderer of RENDERERS.filter(({ spec }) => spec.includes(only)))
  for (const [width, scheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const)
    console.log(JSON.stringify(await measure(renderer, width, scheme)));
await browser.close();
removeFolders();
