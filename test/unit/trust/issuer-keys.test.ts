import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import type { IssuerKeys } from '#lib/item/issuer';
import { issuerKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { openTable } from '#lib/table/table';
import { remove } from '#lib/table/write';
import { HOUR_MS, MINUTE_MS } from '#lib/time';
import { fetchOnDemand, refreshKeys, UNREACHABLE, usableKeys } from '#lib/trust/issuer-keys';
import { type Issuer, issuersIn, type Platform } from '#lib/trust/issuers';
import { refreshAll } from '#lib/trust/refresh-all';
import { NOON, openTestTable } from '../support/engine.ts';
import { METADATA, openTestIssuer } from '../support/issuer.ts';
import { logLines } from '../support/log-lines.ts';

const { table, runtime, clock, wire, operations } = await openTestTable();
const server = await openTestIssuer(clock);
const lines = logLines();

const gitlab = server.issuer('gitlab');
const stored = ({ issuer }: Issuer = gitlab) => get(table, issuerKey(issuer));
const onDemand = async (issuer = gitlab) => fetchOnDemand(runtime, issuer, await stored(issuer));
const gone = () => server.answer('', (response) => void response.destroy());
const back = () => server.answer('/nowhere', () => undefined);
const keySet = (platform: Platform = 'gitlab') => server.issuerOf(platform).keySet();

/** Whether keys verify a token of an issuer. */
const verifies = async (keys: JSONWebKeySet | undefined, platform: Platform) => {
  const token = await server.issuerOf(platform).token({ audience: 'a' });
  return jwtVerify(token, createLocalJWKSet(keys ?? { keys: [] }), {
    currentDate: new Date(clock.time),
  }).then(
    () => true,
    () => false,
  );
};

beforeEach(async () => {
  for (const { issuer } of server.settings) await remove(table, issuerKey(issuer));
  wire.reset();
});

test('the first token of an issuer fetches its keys, and the table keeps them', async () => {
  expect(await onDemand()).toEqual(await keySet());
  const times = { fetched_at: NOON, asked_at: NOON };
  expect(await stored()).toMatchObject({ issuer_url: gitlab.issuer, ...times });
  expect(usableKeys(await stored(), gitlab, NOON)).toEqual(await keySet());
  expect(lines).toEqual([]);
});

test('pasted keys are used, and nothing is fetched or stored', async () => {
  const jwks = await keySet();
  const [pasted] = issuersIn(JSON.stringify([{ ...server.settings[1], jwks }]), true) as [Issuer];
  expect(usableKeys(undefined, pasted, NOON)).toEqual(jwks);
  expect(await fetchOnDemand(runtime, pasted, undefined)).toBeUndefined();
  expect(await refreshAll(runtime, [pasted])).toEqual({ fetched: 0, failed: 0, claimed: 0 });
  expect([server.requests, operations()]).toEqual([[], []]);
});

test('a rotated key is found a minute after the last fetch', async () => {
  await onDemand();
  const before = await stored();
  await server.issuerOf('gitlab').rotate();
  clock.time += MINUTE_MS - 1;
  expect(await onDemand()).toBeUndefined();
  expect(await verifies(usableKeys(await stored(), gitlab, clock.time), 'gitlab')).toBe(false);
  clock.time += 1;
  const after = await onDemand();
  expect(after).toEqual(await keySet());
  expect(after).not.toEqual(usableKeys(before, gitlab, NOON));
  expect(await verifies(after, 'gitlab')).toBe(true);
});

test('a key of another issuer verifies nothing, whatever `kid` a token names', async () => {
  await Promise.all([onDemand(), onDemand(server.issuer('github'))]);
  const [own, other] = [await stored(), await stored(server.issuer('github'))];
  expect(await verifies(usableKeys(own, gitlab, NOON), 'gitlab')).toBe(true);
  expect(await verifies(usableKeys(own, gitlab, NOON), 'github')).toBe(false);
  expect(own?.jwks).not.toBe(other?.jwks);
});

describe('a flood of unknown keys', () => {
  /** Runtimes that share the table only, as those of execution environments do. */
  const environments = Array.from({ length: 8 }, () => ({
    ...runtime,
    table: openTable(table.name, wire.url),
  }));

  test('makes one request a minute in all environments', async () => {
    await onDemand();
    const seen = await stored();
    server.requests.length = 0;
    for (let minute = 1; minute <= 3; minute++) {
      clock.time = NOON + minute * MINUTE_MS;
      // All of them have read the keys before any has fetched.
      const flood = environments.flatMap((one) =>
        Array.from({ length: 5 }, () => fetchOnDemand(one, gitlab, seen)),
      );
      const found = await Promise.all(flood);
      expect(found.filter((keys) => keys !== undefined).length).toBeGreaterThanOrEqual(1);
      expect(server.fetches()).toHaveLength(minute);
    }
  });

  test('writes nothing after the first one of a minute', async () => {
    await onDemand();
    const seen = await stored();
    wire.reset();
    clock.time += MINUTE_MS - 1;
    await Promise.all(environments.map((one) => fetchOnDemand(one, gitlab, seen)));
    expect([operations(), server.fetches().length]).toEqual([[], 1]);
  });

  test('makes one request a minute while the issuer fails', async () => {
    gone();
    const flood = environments.map((one) => fetchOnDemand(one, gitlab, undefined));
    expect(await Promise.all(flood)).toEqual(environments.map(() => undefined));
    expect(server.fetches()).toHaveLength(1);
    back();
    clock.time += MINUTE_MS - 1;
    expect(await onDemand()).toBeUndefined();
    clock.time += 1;
    expect(await onDemand()).toEqual(await keySet());
    expect(server.fetches()).toHaveLength(2);
  });

  test('of one issuer does not keep another one from its keys', async () => {
    await onDemand();
    expect(await onDemand(server.issuer('github'))).toEqual(await keySet('github'));
  });
});

test('keys that another environment has fetched since they were read are used', async () => {
  const before = await stored();
  await onDemand();
  expect(await fetchOnDemand(runtime, gitlab, before)).toEqual(await keySet());
  expect(server.fetches()).toHaveLength(1);
});

describe('an issuer that is gone', () => {
  const refresh = () => refreshKeys(runtime, gitlab);

  test('keeps its keys for 24 hours after the last success', async () => {
    await refresh();
    gone();
    for (let hour = 1; hour <= 25; hour++) {
      clock.time = NOON + hour * HOUR_MS;
      expect((await refresh()).outcome).toBe('failed');
      const keys = usableKeys(await stored(), gitlab, clock.time);
      expect(await verifies(keys, 'gitlab'), `after ${hour} hours`).toBe(hour <= 24);
    }
    expect(usableKeys(await stored(), gitlab, NOON + 24 * HOUR_MS + 1)).toBeUndefined();
  });

  test('has its fault in the table and in the log, without what it has sent', async () => {
    server.answer(METADATA, (response) => void response.writeHead(500).end('secret'));
    await refresh();
    const fault = 'Metadata: status 500';
    expect(await stored()).toMatchObject({ fault, asked_at: NOON });
    expect(lines).toEqual([{ level: 'warn', message: UNREACHABLE, issuer: 'gitlab', fault }]);
    back();
    clock.time += MINUTE_MS;
    await refresh();
    expect(await stored()).not.toHaveProperty('fault');
  });

  test('that answers after a later fetch changes nothing', async () => {
    let asked = 0;
    server.answer(METADATA, async (response) => {
      if (asked++ > 0) return void response.end(JSON.stringify(server.issuerOf('gitlab').metadata()));
      clock.time += MINUTE_MS;
      await refresh();
      response.writeHead(500).end();
    });
    expect((await refresh()).outcome).toBe('failed');
    expect(await stored()).toMatchObject({ asked_at: NOON + MINUTE_MS, fetched_at: NOON + MINUTE_MS });
    expect(await stored()).not.toHaveProperty('fault');
  });

  test('with too many keys keeps the former ones', async () => {
    await refresh();
    const [jwk] = (await keySet()).keys;
    const small = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
    server.answer(
      server.issuerOf('gitlab').keysPath,
      (response) =>
        void response.end(JSON.stringify({ keys: [jwk, ...Array.from({ length: 999 }, () => small)] })),
    );
    clock.time += HOUR_MS;
    expect(await refresh()).toEqual({ outcome: 'failed', fault: 'Keys: more than 50 keys' });
    expect(usableKeys(await stored(), gitlab, clock.time)).toEqual(await keySet());
  });
});

describe('the job', () => {
  const issuers = server.settings.map(({ platform }) => server.issuer(platform));

  test('fetches the keys of each issuer that is set, and of no other', async () => {
    const some = [gitlab, server.issuer('aws')];
    expect(await refreshAll(runtime, some)).toEqual({ fetched: 2, failed: 0, claimed: 0 });
    expect(server.fetches()).toHaveLength(2);
    expect(await stored(server.issuer('github'))).toBeUndefined();
    expect(
      usableKeys((await stored(server.issuer('aws'))) as IssuerKeys, server.issuer('aws'), NOON),
    ).toEqual(await keySet('aws'));
    expect(operations()).toEqual([
      'UpdateItem',
      'UpdateItem',
      'UpdateItem',
      'UpdateItem',
      'GetItem',
      'GetItem',
    ]);
  });

  test('goes on when one of them fails', async () => {
    server.answer(`/google${METADATA}`, (response) => void response.writeHead(404).end());
    const others = issuers.length - 1;
    expect(await refreshAll(runtime, issuers)).toEqual({ fetched: others, failed: 1, claimed: 0 });
    expect(lines).toEqual([
      { level: 'warn', message: UNREACHABLE, issuer: 'google', fault: 'Metadata: status 404' },
      { level: 'info', message: 'The keys of issuers were fetched', fetched: others, failed: 1, claimed: 0 },
    ]);
  });

  test('leaves an issuer to the environment that has fetched in the last minute', async () => {
    await onDemand();
    expect(await refreshAll(runtime, [gitlab])).toEqual({ fetched: 0, failed: 0, claimed: 1 });
    expect(server.fetches()).toHaveLength(1);
  });
});
