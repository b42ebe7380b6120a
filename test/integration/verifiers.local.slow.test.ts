import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { GRANT_TYPES } from '#lib/oauth/grant-types';
import { RESOURCE_KEYS } from '#lib/resource/key-use';
import { findKeyVersion, SIGNING, signerOf } from '#lib/session/key-version';
import { revokeKey } from '#lib/session/publish-key';
import { openSecrets } from '#lib/session/signing-key';
import { openTarget } from '../../infra/admin/target.ts';
import { type Place, type Running, VERIFIERS, type Verifier } from '../strangers/verifiers.ts';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { administratorOf } from './machine.ts';
import { call, noted } from './service.ts';

const [ORDERS, STOCK] = ['https://orders.example.com', 'https://stock.example.com'];
const OTHER_ISSUER = 'https://issuer.example';
const MACHINE = 'nightly';
const PAGE = join(import.meta.dirname, '../../lib/oauth/README.md');

/** A local instance with a machine that asks for tokens. */
async function openIssuer() {
  const data = newFolder();
  const instance = await startInstance({
    data,
    args: ['--memory', '--no-demo'],
    env: {
      Settings__Resources: JSON.stringify([ORDERS, STOCK].map((audience) => ({ audience, minutes: 15 }))),
    },
  });
  const { post, createMachine } = administratorOf(instance);
  await createMachine(MACHINE, ['deploy']);
  const { value } = (await post(`token/create/report/${MACHINE}`)) as { value: string };
  const base = instance.ready.url;
  const issued = async (resource?: string): Promise<string> => {
    const form = {
      grant_type: GRANT_TYPES.client,
      client_id: 'report',
      client_secret: noted(value),
      ...(resource === undefined ? {} : { resource }),
    };
    const { status, text } = await call('POST', '/api/core/oauth/token', { base, form });
    expect(status, text).toBe(200);
    return noted((JSON.parse(text) as { access_token: string }).access_token);
  };
  const metadata = await (await fetch(`${base}/.well-known/openid-configuration`)).json();
  const { issuer, jwks_uri } = metadata as { issuer: string; jwks_uri: string };
  const placeWith = (cache: number): Place => ({ issuer, jwks_uri, audience: ORDERS, cache });
  return { data, issued, placeWith };
}

const kidOf = (token: string) => decodeProtectedHeader(token).kid as string;

type Part = Readonly<Record<string, unknown>>;
const encoded = (part: Part) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A token with any content and any signature. */
function forged(header: Part, claims: Part, signatureOf: (text: string) => Buffer): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return noted(`${text}.${signatureOf(text).toString('base64url')}`);
}

const signedBy = (key: KeyObject) => (text: string) => sign('sha256', Buffer.from(text), key);

/** The private key that signs now. */
async function privateKeyOf(data: string): Promise<KeyObject> {
  const { resourceKey } = await openTarget({ data });
  const found = await findKeyVersion(openSecrets(), { SecretId: resourceKey, VersionStage: SIGNING });
  if (!found) throw new Error('No key signs');
  return signerOf(found.jwk).key as KeyObject;
}

/** What all verifiers accept, and what all refuse, as the page has it. */
const ACCEPTED = ['a new token', 'a token of 14 minutes ago, of 15'] as const;
const REFUSED = [
  'a token for another service',
  'an expired token',
  'a session of this API',
  'another `iss`, by the same key',
  'the key of a stranger, with the same `kid`',
  'changed roles',
  '`alg` `none`',
  '`alg` `HS256`, with the public key as the secret',
  '`alg` `ES256`, with another key',
] as const;
/** The same for a verifier that has cached the keys. */
const WHILE_CACHED = 'a revoked key, while it is cached';
const AFTER_CACHE = 'a revoked key, after the cache';
const SUCCESSOR = 'the successor of a revoked key, while keys are cached';
const ENDED = 'a token that it has accepted, after its end';

type Tokens = Readonly<Record<(typeof ACCEPTED)[number] | (typeof REFUSED)[number], string>>;

/** Tokens with one fault at most, most of them forged of an accepted one. */
async function tokensOf({ data, issued }: Awaited<ReturnType<typeof openIssuer>>): Promise<Tokens> {
  const token = await issued(ORDERS);
  const header = decodeProtectedHeader(token) as Part;
  const claims = decodeJwt(token) as Part;
  const now = claims['iat'] as number;
  const key = await privateKeyOf(data);
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' });
  const issuedAt = (iat: number) => forged(header, { ...claims, iat, exp: iat + 900 }, signedBy(key));
  const withAlg = (alg: string, signatureOf: (text: string) => Buffer) =>
    forged({ ...header, alg }, claims, signatureOf);
  return {
    'a new token': token,
    'a token of 14 minutes ago, of 15': issuedAt(now - 14 * 60),
    'a token for another service': await issued(STOCK),
    // Some verifiers accept a token for a minute longer.
    'an expired token': issuedAt(now - 1000),
    'a session of this API': await issued(),
    'another `iss`, by the same key': forged(header, { ...claims, iss: OTHER_ISSUER }, signedBy(key)),
    'the key of a stranger, with the same `kid`': forged(header, claims, signedBy(stranger)),
    'changed roles': noted(token.replace(/\..*\./, `.${encoded({ ...claims, roles: ['admin'] })}.`)),
    '`alg` `none`': withAlg('none', () => Buffer.alloc(0)),
    '`alg` `HS256`, with the public key as the secret': withAlg('HS256', (text) =>
      createHmac('sha256', pem).update(text).digest(),
    ),
    '`alg` `ES256`, with another key': withAlg('ES256', (text) =>
      sign('sha256', Buffer.from(text), { key: elliptic, dsaEncoding: 'ieee-p1363' }),
    ),
  };
}

const issuer = await openIssuer();
const tokens = await tokensOf(issuer);
const { sub } = decodeJwt(tokens['a new token']);

/** Long before the cache of a default ends. */
const SOON = { timeout: 20_000 };

/** The title of a test, with the reason why it is skipped. */
const titled = (title: string, missing: string | undefined) =>
  missing ? `${title} (skipped: ${missing})` : title;

describe.each(VERIFIERS)('$name', ({ start, missing }: Verifier) => {
  let running: Running;
  beforeAll(async () => {
    if (!missing) running = await start(issuer.placeWith(0));
  });
  afterAll(() => running?.stop());

  test.skipIf(missing).each(ACCEPTED)(titled('accepts %s', missing), async (what) =>
    expect(await running.verify(tokens[what])).toMatchObject({ accepted: { sub } }),
  );
  test.skipIf(missing).each(REFUSED)(titled('refuses %s', missing), async (what) =>
    expect(await running.verify(tokens[what])).toEqual({ refused: expect.any(String) }),
  );
});

describe('after the revocation of the key that signs', () => {
  /** Each verifier twice: with the cache of its default, and with one of a second. */
  const started = new Map<Verifier, { readonly usual: Running; readonly brief: Running }>();
  /** A token for each that ends in some seconds. */
  const ending = new Map<Verifier, string>();
  const ended: (() => Promise<void>)[] = [];
  let revoked: string;
  let next: string;

  beforeAll(async () => {
    const { data, issued, placeWith } = await openIssuer();
    revoked = await issued(ORDERS);
    const open = async (verifier: Verifier, cache: number) => {
      const running = await verifier.start(placeWith(cache));
      ended.push(running.stop);
      expect(await running.verify(revoked), verifier.name).toHaveProperty('accepted');
      return running;
    };
    await Promise.all(
      VERIFIERS.filter(({ missing }) => !missing).map(async (verifier) => {
        const [usual, brief] = await Promise.all([open(verifier, 0), open(verifier, 1)]);
        started.set(verifier, { usual, brief });
      }),
    );
    const key = signedBy(await privateKeyOf(data));
    const now = Math.floor(Date.now() / 1000);
    for (const [verifier, { usual }] of started) {
      const claims = { ...decodeJwt(revoked), exp: now + 8 - verifier.leeway };
      const token = forged(decodeProtectedHeader(revoked) as Part, claims, key);
      ending.set(verifier, token);
      expect(await usual.verify(token), verifier.name).toHaveProperty('accepted');
    }
    const { table } = (await openTarget({ data })).runtime;
    await revokeKey(table, kidOf(revoked), Date.now(), RESOURCE_KEYS);
    await vi.waitUntil(
      async () => {
        next = await issued(ORDERS);
        return kidOf(next) !== kidOf(revoked);
      },
      { timeout: 20_000, interval: 500 },
    );
    for (const { brief } of started.values()) await brief.fetchKeys?.();
  });
  afterAll(async () => {
    await Promise.all(ended.map((stop) => stop()));
  });

  for (const verifier of VERIFIERS) {
    const { name, missing } = verifier;
    const when = test.skipIf(missing);
    const verdict = (token: string, which: 'usual' | 'brief') => started.get(verifier)?.[which].verify(token);
    const refused = { refused: expect.any(String) };
    when(titled(`${name} accepts ${SUCCESSOR}`, missing), async () => {
      expect(await verdict(next, 'usual')).toMatchObject({ accepted: {} });
      await expect.poll(() => verdict(next, 'brief')).toMatchObject({ accepted: {} });
    });
    when(titled(`${name} accepts ${WHILE_CACHED}`, missing), async () =>
      expect(await verdict(revoked, 'usual')).toMatchObject({ accepted: {} }),
    );
    when(titled(`${name} refuses ${AFTER_CACHE}`, missing), async () =>
      expect.poll(() => verdict(revoked, 'brief'), SOON).toEqual(refused),
    );
    when(titled(`${name} refuses ${ENDED}`, missing), async () =>
      expect.poll(() => verdict(ending.get(verifier) as string, 'usual'), SOON).toEqual(refused),
    );
  }
});

test('the page has the table of all verdicts', () => {
  const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rows = (verdict: string, tokensWith: readonly string[]) =>
    tokensWith.map((what) => row(what, ...VERIFIERS.map(() => verdict)));
  const table = [
    row('Token', ...VERIFIERS.map(({ name }) => name)),
    row('---', ...VERIFIERS.map(() => '---')),
    ...rows('accepts', [...ACCEPTED, SUCCESSOR, WHILE_CACHED]),
    ...rows('refuses', [AFTER_CACHE, ENDED, ...REFUSED]),
  ].join('\n');
  expect(readFileSync(PAGE, 'utf8')).toContain(table);
});
