import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import sdk from '@aws-sdk/client-dynamodb/package.json' with { type: 'json' };
import { build } from 'esbuild';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { contract as create } from '#lib/account/create.contract';
import { contract as openapi } from '#lib/docs/openapi.contract';
import { contract as script } from '#lib/docs/script.contract';
import { ENVIRONMENT } from '#lib/instance/environment';
import { EXPECTATIONS } from '#lib/instance/expectations';
import { contract as login } from '#lib/login/login.contract';
import { contract as password } from '#lib/login/password.contract';
import { contract as assertion } from '#lib/passkey/passkey-assert.contract';
import { probe } from '#lib/probe/jobs';
import { contracts, functions, textsOf } from '#lib/routes';
import { contract as jwks } from '#lib/system/jwks.contract';
import { contract as preview } from '#lib/system/preview.contract';
import { leaveOut } from '../../infra/bundle/leave-out.ts';
import { UNREACHABLE } from '../../infra/bundle/unreachable.ts';
import { bundleFile, bundleFolder, ROOT } from '../../infra/bundle.ts';
import costs from '../../infra/cost/prices.json' with { type: 'json' };
import { schemaFiles } from '../../infra/events/schemas.ts';
import { openApi } from '../../infra/openapi.ts';
import { warnings } from './built.ts';

/** The highest median and the highest size of a bundle, in kB of 1,000 bytes; 5 % more fails the test. */
const BUDGET_KB = { median: 260, highest: 337 };
const HEADROOM = 1.05;

/** Any value will do: loading a bundle calls nothing. */
const VARIABLES = Object.values(ENVIRONMENT).map((name) => [name, 'x']);

const require = createRequire(import.meta.url);
const texts = new Map<string, string>(
  functions.map(({ id }) => [id, readFileSync(bundleFile(id), 'utf8')] as const),
);

/** All strings in a value. */
const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

const ofEvents = JSON.stringify([...schemaFiles()]);

/** Parts of the texts about all endpoints that have no character which a bundle may write in another way. */
const described = contracts
  .flatMap((contract) => stringsIn(textsOf(contract)))
  .flatMap((text) => text.split(/[^\w ,.;:()-]/))
  // Definitions of events have the descriptions of their own fields.
  .filter((part) => part.length >= 25 && !ofEvents.includes(part));

/** Files that functions load at the first use, each with a part of it. */
const ON_DEMAND = {
  'common-passwords.cjs': 'qwertyuiop',
  'password-estimator.cjs': 'mostGuessableMatchSequence',
  'bcrypt.cjs': '1332899944',
  'parse5.cjs': 'eof-in-tag',
} as const;
type File = keyof typeof ON_DEMAND;
const loads = (id: string, file: string) => texts.get(id)?.includes(`"./${file}"`);

test.each<[File, string[]]>([
  ['common-passwords.cjs', [password.id]],
  ['password-estimator.cjs', [password.id]],
  ['bcrypt.cjs', [create.id, login.id, password.id]],
  ['parse5.cjs', [preview.id]],
])('no bundle contains %s, which is next to the functions that load it later', (file, ids) => {
  expect([...texts.values()].filter((text) => text.includes(ON_DEMAND[file]))).toEqual([]);
  expect([...texts.keys()].filter((id) => loads(id, file)).sort()).toEqual(ids);
  expect(readFileSync(`${bundleFolder(ids[0] as string)}/${file}`, 'utf8')).toContain(ON_DEMAND[file]);
});

/** Endpoints whose paths a function sends requests to, or names in its answer. */
const REQUESTED: Readonly<Record<string, readonly string[]>> = {
  [probe.id]: ['account.login', 'system.jwks'],
  'oauth.metadata': ['oauth.jwks'],
};

/** Functions that read the public keys in their init phase: those that authenticate, log in or publish the keys. */
const INITIALISING = contracts
  .filter(
    ({ id, access }) =>
      access !== 'public' || [login.id, jwks.id, assertion.id, 'oauth.token'].includes(id as never),
  )
  .map(({ id }) => id);

/** Functions that verify what a device has signed, with the size of their bundles in kB. */
const VERIFYING = { 'account.passkey-assert': 490, 'account.passkey-create': 512 };

/** Larger functions: those, and the one that has the files of the page in two languages. */
const LARGER = { ...VERIFYING, 'admin.page': 475 };

test('the bundles stay within the budget of their sizes', () => {
  const sizeOf = (text: string) => Buffer.byteLength(text) / 1000;
  const sizes = [...texts]
    .flatMap(([id, text]) => (id in LARGER || id === openapi.id ? [] : sizeOf(text)))
    .sort((one, other) => one - other);
  expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThan(BUDGET_KB.median * HEADROOM);
  expect(sizes.at(-1)).toBeLessThan(BUDGET_KB.highest * HEADROOM);
  // The document that it contains grows with each endpoint.
  const ofDocument = sizeOf(JSON.stringify(openApi()));
  expect(sizeOf(texts.get(openapi.id) ?? '') - ofDocument).toBeLessThan(BUDGET_KB.median * HEADROOM);
  for (const [id, size] of Object.entries(LARGER))
    expect(sizeOf(texts.get(id) ?? ''), id).toBeLessThan(size * HEADROOM);
});

test('only the functions that verify what a device has signed contain the library for it', () => {
  const sourcesOf = (id: string) =>
    (JSON.parse(readFileSync(`${bundleFile(id)}.map`, 'utf8')) as { sources: string[] }).sources;
  const containing = (part: string) =>
    functions.flatMap(({ id }) => (sourcesOf(id).some((source) => source.includes(part)) ? [id] : []));
  for (const part of ['@simplewebauthn/server/', '@peculiar/', 'asn1js'])
    expect(containing(part).sort(), part).toEqual(Object.keys(VERIFYING));
});

test.each<[string, readonly string[]]>([
  ['values that settings expect', Object.values(EXPECTATIONS).filter((text) => text.length >= 25)],
  ['part of a package.json but its version', ['devDependencies:', 'homepage:']],
])('no bundle contains %s', (_, parts) => {
  const containing = [...texts].filter(([, text]) => parts.some((part) => text.includes(part)));
  expect(containing.map(([id]) => id)).toEqual([]);
});

test('the costs name the size of the script of the documentation page', async () => {
  const folder = bundleFolder(script.id);
  const name = (await readdir(folder)).find((file) => file.endsWith('.gz')) as string;
  const { kB } = costs.runs.exceptions[script.id];
  expect(Math.abs((await stat(`${folder}/${name}`)).size / 1000 / kB - 1)).toBeLessThan(0.01);
});

describe.each(functions.map((definition) => definition.id))('the bundle of %s', (id) => {
  test('has its code, source map, licences and assets', async () => {
    const code = ['index.cjs', ...Object.keys(ON_DEMAND).filter((file) => loads(id, file))];
    const init = INITIALISING.includes(id) ? ['index.mjs'] : [];
    const assets = id === script.id ? ['scalar.gz'] : [];
    const maps = code.map((file) => `${file}.map`);
    const files = ['THIRD-PARTY-NOTICES.txt', ...code, ...maps, ...init, ...assets];
    const names = (await readdir(bundleFolder(id))).map((name) => name.replace(/-[A-Z0-9]{8}\./, '.'));
    expect(names.sort()).toEqual(files.sort());
  });

  // The OpenAPI document describes every path.
  if (id !== 'docs.openapi')
    test('contains no contract but its own, and no text about an endpoint', () => {
      const text = texts.get(id) ?? '';
      const others = contracts.filter(
        (contract) => contract.id !== id && text.includes(`"${contract.path}"`),
      );
      const requested = REQUESTED[id] ?? [];
      expect(others.map((contract) => contract.id)).toEqual(requested);
      expect(described.filter((part) => text.includes(part))).toEqual([]);
    });

  test('contains no provider of credentials but the environment', () => {
    const { sources } = JSON.parse(readFileSync(`${bundleFile(id)}.map`, 'utf8')) as { sources: string[] };
    const usesAws = texts.get(id)?.includes('AWS_SESSION_TOKEN');
    const providers = new Set(sources.join().match(/credential-provider-\w+/g));
    expect([...providers]).toEqual(usesAws ? ['credential-provider-env'] : []);
  });
});

test('every bundle loads, although packages construct what is left out, and loads no other file at the start', () => {
  const variables = { AWS_REGION: 'eu-west-1', ...Object.fromEntries(VARIABLES) };
  const load = `for (const file of process.argv.slice(1)) require(file);
    console.log(JSON.stringify(Object.keys(require.cache)))`;
  const files = functions.map(({ id }) => bundleFile(id));
  const options = { env: variables, stdio: 'pipe', timeout: 120_000, encoding: 'utf8' } as const;
  expect(JSON.parse(execFileSync(process.execPath, ['-e', load, ...files], options))).toEqual(files);
});

test.each([
  ['system.preview', ['@aws-sdk/client-dynamodb', 'jose', 'marked', 'parse5', 'zod'], 'Apache License'],
  [script.id, ['@middy/core', '@scalar/fastify-api-reference', 'zod'], 'Copyright (c) 2023-present Scalar'],
  [
    'admin.page',
    ['@preact/signals', '@preact/signals-core', 'csv-parse', 'preact', 'zod'],
    'Licensed under [MIT License]',
  ],
])('the licences of %s name its packages', async (id, names, text) => {
  const notices = await readFile(`${bundleFolder(id)}/THIRD-PARTY-NOTICES.txt`, 'utf8');
  for (const name of names) expect(notices).toMatch(new RegExp(`^${name} [\\d.]+ \\(.+\\)$`, 'm'));
  expect(notices).toContain(text);
});

/** The exports of `code`, bundled with the modules left out. */
async function bundled<T>(code: string) {
  const { outputFiles = [], warnings } = await build({
    stdin: { contents: code, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
    plugins: [leaveOut],
  });
  const module = { exports: {} };
  new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '')(module, module.exports, require);
  return { exported: module.exports as T, warnings };
}

test('an export of a module that is left out throws its name when it is called or its instance is used', async () => {
  const { exported } = await bundled<{ Sha256Js(): void; EndpointCache: new () => { get(): void } }>(
    `export { Sha256Js } from '@smithy/core/checksum'; export { EndpointCache } from '@aws-sdk/endpoint-cache';`,
  );
  expect(() => exported.Sha256Js()).toThrow('Sha256Js is not in this bundle');
  expect(() => new exported.EndpointCache().get()).toThrow('EndpointCache is not in this bundle');
});

test('the build warns with the remedy when no bundle imports a module that is listed as unreachable', async () => {
  const { warnings } = await bundled('');
  expect(warnings.map(({ text }) => text)).toContain(
    '@aws-sdk/endpoint-cache/dist-es/EndpointCache.js is listed in infra/bundle/unreachable.ts, but no bundle imports it',
  );
  expect(warnings[0]?.notes[0]?.text).toMatch(/^Remove the entry/);
});

test('every module that is listed as unreachable is imported by a bundle', () => {
  expect(warnings).toEqual([]);
  expect(Object.keys(UNREACHABLE).length).toBeLessThanOrEqual(12);
});

afterEach(() => vi.unstubAllEnvs());

/** The request that a client of a bundle sends. */
async function sentByClient(): Promise<{ hostname: string; headers: Record<string, string> }> {
  const { exported } = await bundled<typeof import('@aws-sdk/client-dynamodb')>(
    `export { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';`,
  );
  const client = new exported.DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  const requests: unknown[] = [];
  client.middlewareStack.add(
    () =>
      async ({ request }) => {
        requests.push(request);
        return { response: {}, output: { $metadata: {} } };
      },
    { step: 'finalizeRequest', priority: 'high' },
  );
  await client.send(new exported.ListTablesCommand({}));
  return requests[0] as Awaited<ReturnType<typeof sentByClient>>;
}

test.each([
  ['AWS_USE_FIPS_ENDPOINT', 'dynamodb-fips.us-east-1.amazonaws.com'],
  ['AWS_USE_DUALSTACK_ENDPOINT', 'dynamodb.us-east-1.api.aws'],
])('a client of a bundle honours %s', async (variable, hostname) => {
  vi.stubEnv(variable, 'true');
  expect((await sentByClient()).hostname).toBe(hostname);
});

test('a client of a bundle names its version', async () => {
  const { headers } = await sentByClient();
  expect(headers['user-agent']).toMatch(new RegExp(`^aws-sdk-js/${RegExp.escape(sdk.version)} `));
});
