import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { FETCH_MS, fetchKeys, MAX_DOCUMENT_BYTES } from '#lib/trust/fetch-keys';
import { MAX_KEYS, PLATFORMS } from '#lib/trust/issuers';
import { METADATA, openTestIssuer } from '../support/issuer.ts';
import { endLimits } from '../support/limits.ts';

const server = await openTestIssuer();
const { issuer } = server.issuer('gitlab');
const KEYS = server.issuerOf('gitlab').keysPath;

const json = (value: unknown) => (response: ServerResponse) => void response.end(JSON.stringify(value));
const faultOf = async (path: string, respond: (response: ServerResponse) => void) => {
  server.answer(path, respond);
  return (await fetchKeys(issuer)).fault;
};
const publicKey = async (alg: string): Promise<JWK> => exportJWK((await generateKeyPair(alg)).publicKey);

test.each(PLATFORMS)('the keys of %s are those that its metadata name', async (platform) => {
  const own = server.issuerOf(platform);
  const { keys } = await own.keySet();
  expect(await fetchKeys(server.issuer(platform).issuer)).toEqual({ jwks: { keys } });
  expect(server.requests).toEqual([`GET /${platform}${METADATA}`, `GET /${platform}${own.keysPath}`]);
});

test('metadata of an issuer with a final slash are at the same path', async () => {
  const slashed = `${issuer}/`;
  server.answer(METADATA, json({ issuer: slashed, jwks_uri: `${issuer}${KEYS}` }));
  expect((await fetchKeys(slashed)).jwks).toEqual(await server.issuerOf('gitlab').keySet());
  expect((await fetchKeys(issuer)).fault).toBe('Metadata: names another issuer');
});

describe.each([
  ['Metadata', METADATA],
  ['Keys', KEYS],
])('%s', (what, path) => {
  test('of 5 MB are refused, and not read to their end', async () => {
    let sent = 0;
    const chunks = function* () {
      for (; sent < 5_000_000; sent += 50_000) yield ' '.repeat(50_000);
    };
    const fault = await faultOf(path, (response) => void Readable.from(chunks()).pipe(response));
    expect(fault).toBe(`${what}: more than 100 kB`);
    expect(sent).toBeLessThan(5_000_000);
  });

  test('of 100 kB are read, and not one byte more', async () => {
    const document =
      path === METADATA ? { issuer, jwks_uri: `${issuer}${KEYS}` } : await server.issuerOf('gitlab').keySet();
    const padded = (bytes: number) => JSON.stringify(document).padEnd(bytes, ' ');
    expect(await faultOf(path, (it) => void it.end(padded(MAX_DOCUMENT_BYTES)))).toBeUndefined();
    expect(await faultOf(path, (it) => void it.end(padded(MAX_DOCUMENT_BYTES + 1)))).toBe(
      `${what}: more than 100 kB`,
    );
  });

  test.each([301, 302, 303, 307, 308])('that are redirected with %i are not followed', async (status) => {
    const location = `${issuer}/elsewhere`;
    const fault = await faultOf(path, (response) => void response.writeHead(status, { location }).end());
    expect(fault).toBe(`${what}: status ${status}`);
    expect(server.requests.filter((request) => request.includes('elsewhere'))).toEqual([]);
  });

  test('with an error are refused', async () => {
    expect(await faultOf(path, (it) => void it.writeHead(503).end('{}'))).toBe(`${what}: status 503`);
    expect(await faultOf(path, (it) => void it.end('<html>'))).toBe(`${what}: no JSON object`);
    expect(await faultOf(path, (it) => void it.end('null'))).toBe(`${what}: no JSON object`);
    expect(await faultOf(path, (it) => void it.destroy())).toBe(`${what}: ECONNRESET`);
  });

  test('that drip, or do not come, end at the limit of all', async () => {
    endLimits(200);
    const dripping = (response: ServerResponse) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    };
    const fault = `${what}: no complete answer within ${FETCH_MS / 1000} s`;
    expect(await faultOf(path, dripping)).toBe(fault);
    expect(await faultOf(path, () => undefined)).toBe(fault);
    expect(AbortSignal.timeout).toHaveBeenCalledTimes(2);
    expect(AbortSignal.timeout).toHaveBeenCalledWith(5000);
  });
});

test('an issuer that is gone is a fault', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  gone.close();
  await once(gone, 'close');
  expect((await fetchKeys(`http://localhost:${port}/a`)).fault).toMatch(/^Metadata: ECONNREFUSED$/);
});

test.each([
  ['no URL', undefined],
  ['no URL', 5],
  ['no URL', '/keys'],
  ['has a user or a password', 'https://ada@a.example/keys'],
  ['is not https', 'http://a.example/keys'],
  ['is not https', 'http://localhost.a.example/keys'],
  ['is not https', 'file:///etc/passwd'],
  ['is not https', 'http://169.254.169.254/keys'],
  ['has another port than 443', 'https://a.example:8443/keys'],
  ['has an IP address as its host', 'https://169.254.169.254/keys'],
  ['has an IP address as its host', 'https://2852039166/keys'],
  ['has an IP address as its host', 'https://[::1]/keys'],
])('jwks_uri %s: %j', async (fault, jwks_uri) => {
  expect(await faultOf(METADATA, json({ issuer, jwks_uri }))).toBe(
    `Metadata: jwks_uri ${fault === 'no URL' ? 'is no URL' : fault}`,
  );
});

test('jwks_uri at localhost is refused for an issuer that is not there', async () => {
  expect((await fetchKeys('https://localhost')).fault).toBe(
    'Metadata: the host has an address that is not public',
  );
  server.answer(METADATA, json({ issuer, jwks_uri: 'https://localhost/keys' }));
  expect((await fetchKeys(issuer)).fault).toBe('Keys: the host has an address that is not public');
});

describe('a host', () => {
  const resolvedTo = (...addresses: readonly string[]) => {
    const hosts: string[] = [];
    const resolve = async (host: string): Promise<LookupAddress[]> => {
      hosts.push(host);
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    };
    return { hosts, resolve };
  };

  test.each([
    ['10.0.0.1'],
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['192.168.1.1'],
    ['100.64.0.1'],
    ['0.0.0.0'],
    ['198.18.0.1'],
    ['224.0.0.1'],
    ['255.255.255.255'],
    ['::1'],
    ['::'],
    ['fd00::1'],
    ['fe80::1%eth0'],
    ['::ffff:10.0.0.1'],
    ['::ffff:a9fe:a9fe'],
    ['64:ff9b::a00:1'],
    ['2002:a00:1::'],
    ['8.8.8.8', '10.0.0.1'],
    [],
  ])('at %s is not connected to', async (...addresses) => {
    const { resolve, hosts } = resolvedTo(...addresses);
    expect((await fetchKeys('https://issuer.example', resolve)).fault).toBe(
      'Metadata: the host has an address that is not public',
    );
    expect(hosts).toEqual(['issuer.example']);
  });

  test('at a public address is connected to as it was resolved, once', async () => {
    endLimits(500);
    // Of the former 6bone, and routed nowhere: an attempt to connect fails in one way or another.
    const { resolve, hosts } = resolvedTo('3ffe::1');
    const { fault } = await fetchKeys('https://issuer.example', resolve);
    expect(fault).toMatch(/^Metadata: (E[A-Z]+|no complete answer within 5 s)$/);
    expect(hosts).toEqual(['issuer.example']);
  });

  test('without an address is a fault', async () => {
    const missing = async () =>
      Promise.reject(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }));
    expect((await fetchKeys('https://issuer.example', missing)).fault).toBe('Metadata: ENOTFOUND');
  });
});

describe('a set', () => {
  test('of 1,000 keys is refused, and one of 50 is not', async () => {
    const jwk = await publicKey('EdDSA');
    const keys = (length: number) => json({ keys: Array.from({ length }, () => jwk) });
    expect(JSON.stringify({ keys: Array.from({ length: 1000 }, () => jwk) }).length).toBeLessThan(
      MAX_DOCUMENT_BYTES,
    );
    expect(await faultOf(KEYS, keys(1000))).toBe(`Keys: more than ${MAX_KEYS} keys`);
    expect(await faultOf(KEYS, keys(MAX_KEYS + 1))).toBe(`Keys: more than ${MAX_KEYS} keys`);
    expect(await faultOf(KEYS, keys(MAX_KEYS))).toBeUndefined();
  });

  test('keeps the keys that can verify, without their certificates', async () => {
    const usable = { ...(await publicKey('RS256')), kid: 'a', alg: 'RS256', use: 'sig' };
    const others = [
      { ...usable, use: 'enc' },
      { ...usable, alg: 'RSA-OAEP' },
      { kty: 'oct', k: 'c2VjcmV0', kid: 'a' },
      await publicKey('ES512'),
      null,
    ];
    server.answer(KEYS, json({ keys: [...others, { ...usable, x5c: ['MII'], x5t: 'a' }] }));
    expect((await fetchKeys(issuer)).jwks).toEqual({ keys: [usable] });
    expect(await faultOf(KEYS, json({ keys: others }))).toBe('Keys: no usable key');
    expect(await faultOf(KEYS, json({ keys: {} }))).toBe('Keys: no list of keys');
  });
});

test('metadata of another issuer are refused', async () => {
  for (const other of [`${issuer}/`, issuer.toUpperCase(), undefined, [issuer]])
    expect(await faultOf(METADATA, json({ issuer: other, jwks_uri: `${issuer}${KEYS}` }))).toBe(
      'Metadata: names another issuer',
    );
});
