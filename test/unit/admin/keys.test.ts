import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { PublicKeyItem } from '#lib/item/instance';
import { RESOURCE_KEYS } from '#lib/resource/key-use';
import { type KeyUse, SESSION_KEYS } from '#lib/session/key-use';
import { LEAD_MS, RESOURCE_LEAD_MS } from '#lib/session/lead';
import { publishKey } from '#lib/session/publish-key';
import { publicKeyItemKey, resourceKeyItemKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { finished, listKeys, progressOf, revoke, startRotation } from '../../../infra/admin/keys.ts';
import { NAMES } from '../../../infra/local/machine/resource-names.ts';
import { ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { exception } from '../../wire/dynamodb-proxy.ts';
import { NOON } from '../support/items.ts';
import { newKeyPair } from '../support/signing-keys.ts';
import { openInstance } from './operator.ts';

const { table, wire, secrets, json, run, signingKid, resourceKids, audited } = await openInstance();

/** The second in which the file began: commands work by the clock of the machine. */
const START = Math.floor(Date.now() / 1000) * 1000;

const storeOf = (SecretId: string, use: KeyUse = SESSION_KEYS) => ({
  secrets: secrets.client,
  SecretId,
  table,
  use,
});

/** A secret whose current version is a key that is published. */
async function keyOf(SecretId: string, stages?: string[], use: KeyUse = SESSION_KEYS) {
  const { privateJwk } = await newKeyPair(use.algorithm);
  const { ARN = '', VersionId = '' } = await secrets.put(SecretId, JSON.stringify(privateJwk), stages);
  await publishKey(table, { jwk: privateJwk, secret: ARN, version: VersionId }, START, use);
  return { kid: privateJwk.kid, version: VersionId };
}

test.each([
  ['gives a stuck rotation up', ['AWSPENDING'], true],
  ['gives no current version up', ['AWSPENDING', 'AWSCURRENT'], false],
  ['gives nothing up without a pending version', ['OTHER'], false],
])('startRotation %s', async (_what, stages, isStuck) => {
  const SecretId = await secrets.create('none');
  const { VersionId = '' } = await secrets.put(SecretId, 'x', stages);
  secrets.calls.length = 0;
  const mended = isStuck ? VersionId : null;
  expect(await startRotation(storeOf(SecretId))).toEqual({ version: expect.any(String), mended });
  expect(secrets.operations().includes('UpdateSecretVersionStage')).toBe(isStuck);
});

test('progressOf reports whether the version is current, and when its key signs', async () => {
  const SecretId = await secrets.create('none');
  const { kid, version } = await keyOf(SecretId);
  const progress = { done: true, kid, signs_from: new Date(START + LEAD_MS).toISOString() };
  expect(await progressOf(storeOf(SecretId), version)).toEqual(progress);
  const other = await progressOf(storeOf(SecretId), randomUUID());
  expect(other).toEqual({ done: false, kid: null, signs_from: null });
});

test('progressOf reports the earliest time at which a successor may sign', async () => {
  const SecretId = await secrets.create('none');
  const { kid, version } = await keyOf(SecretId, undefined, RESOURCE_KEYS);
  const progress = { done: true, kid, signs_from: new Date(START + RESOURCE_LEAD_MS).toISOString() };
  expect(await progressOf(storeOf(SecretId, RESOURCE_KEYS), version)).toEqual(progress);
});

const DAY = 86_400;
const NOW = NOON / 1000;
const itemOf = (kid: string, days = 10, more: Partial<PublicKeyItem> = {}): PublicKeyItem => ({
  jwk: { kid, kty: 'EC' },
  published_at: NOW - days * DAY,
  secret_id: 'arn:own',
  secret_version: kid,
  ...more,
});
const ENDED = itemOf('a', 10, { revoked_at: NOW, expires_at: 0 });
const FOREIGN = { secret_id: 'arn:other', secret_version: 'x' };

test.each<[string, PublicKeyItem[], current: string, signing?: string]>([
  ['a signs 0 days own', [itemOf('a', 0)], 'a'],
  ['a verifies unknown age unknown', [{ jwk: { kid: 'a' } }], 'v'],
  ['a signs 1,000 days own', [itemOf('a', 1000)], 'a'],
  ['b published 0 days own, a signs 10 days own', [itemOf('a'), itemOf('b', 0)], 'b', 'a'],
  [
    'b signs 1 day own, a retired 10 days own',
    [itemOf('a', 10, { expires_at: NOW + 1 }), itemOf('b', 1)],
    'b',
    'a',
  ],
  [
    'b signs 10 days own, a expired 100 days own',
    [itemOf('a', 100, { expires_at: NOW }), itemOf('b')],
    'b',
    'a',
  ],
  ['b signs 0 days own, a revoked 10 days own', [ENDED, itemOf('b', 0)], 'b', 'a'],
  [
    'c published 0 days own, b signs 0 days own, a revoked 10 days own',
    [ENDED, itemOf('b', 0.002), itemOf('c', 0.001)],
    'c',
    'b',
  ],
  // A stack that was deleted, and one that has adopted its table; the former has the newer key.
  ['z verifies 1 day arn:other, a signs 10 days own', [itemOf('z', 1, FOREIGN), itemOf('a')], 'a'],
  [
    'a signs 0 days own, z retired 10 days arn:other',
    [itemOf('z', 10, { ...FOREIGN, expires_at: NOW + 1 }), itemOf('a', 0)],
    'a',
  ],
])('listKeys answers: %s', (expected, items, current, signing) => {
  const own = { secret: 'arn:own', current, signing };
  const listed = listKeys(items, own, NOON).map(({ signs, ...key }) => [Object.values(key).join(' '), signs]);
  expect(listed.map(([key]) => key).join(', ')).toBe(expected);
  expect(new Set(listed.map(([, signs]) => signs))).toEqual(new Set(['sessions']));
});

const LEAD_DAYS = RESOURCE_LEAD_MS / 86_400_000;
const JUST_KNOWN = itemOf('b', LEAD_DAYS);
const UNKNOWN = itemOf('b', LEAD_DAYS - 1 / DAY);
const Z = itemOf('z', 100, FOREIGN);

test.each<[string, PublicKeyItem[], current: string, signing?: string]>([
  ['a signs, b published', [itemOf('a'), UNKNOWN], 'b', 'a'],
  ['a signs, b next', [itemOf('a'), JUST_KNOWN], 'b', 'a'],
  // The first two keys.
  ['a signs, b published', [itemOf('a', 0), itemOf('b', 0)], 'b', 'a'],
  ['a revoked, b signs', [ENDED, UNKNOWN], 'b', 'a'],
  [
    'a retired, b signs, c published',
    [itemOf('a', 10, { expires_at: NOW + 1 }), itemOf('b'), itemOf('c', 0)],
    'c',
    'b',
  ],
  [
    'a expired, b signs, c next',
    [itemOf('a', 10, { expires_at: NOW }), itemOf('b'), itemOf('c', 1)],
    'c',
    'b',
  ],
  // A rotation that was cut off has a pending key.
  ['a signs, b next, c verifies', [itemOf('a'), itemOf('b'), itemOf('c', 1)], 'b', 'a'],
  // Another stack signs until gateways know the own keys.
  ['z verifies, a published, b published', [Z, itemOf('a', 0), itemOf('b', 0)], 'b', 'a'],
  ['z verifies, a signs, b next', [Z, itemOf('a', 1), itemOf('b', 1)], 'b', 'a'],
  [
    'z revoked, a signs, b published',
    [{ ...Z, revoked_at: NOW, expires_at: 0 }, itemOf('a', 0), itemOf('b', 0)],
    'b',
    'a',
  ],
])('listKeys answers for other services: %s', (expected, items, current, signing) => {
  const own = { secret: 'arn:own', current, signing };
  const listed = listKeys(items, own, NOON, RESOURCE_KEYS);
  expect(
    listed
      .toSorted((one, other) => (one.kid < other.kid ? -1 : 1))
      .map(({ kid, state }) => `${kid} ${state}`),
  ).toEqual(expected.split(', ').sort());
  expect(new Set(listed.map(({ signs }) => signs))).toEqual(new Set(['resources']));
});

test('keys list prints a line for each key, with its secret', async () => {
  const { stdout } = await run(['keys', 'list']);
  expect(stdout).toMatch(/^([\w-]{43} {2}\w+ {2}(\d+ days?|unknown age) {2}\S+ {2}(sessions|resources)\n)+$/);
  expect(stdout).toMatch(new RegExp(`^${signingKid} {2}signs {2}.* {2}own {2}sessions$`, 'm'));
});

test('keys list answers the keys of sessions first, and the members of earlier versions in their order', async () => {
  const { answer } = await json(['keys', 'list']);
  const uses = answer.map(({ signs }: { signs: string }) => signs);
  expect(uses).toEqual(uses.toSorted().toReversed());
  for (const key of answer) expect(Object.keys(key)).toEqual(['kid', 'state', 'age', 'secret', 'signs']);
  const states = answer.map(({ kid, state }: Record<string, string>) => [kid, state]);
  expect(states).toEqual(
    expect.arrayContaining([
      [resourceKids.signing, 'signs'],
      [resourceKids.next, 'published'],
    ]),
  );
});

test('finished refuses a rotation that does not end', async () => {
  const SecretId = await secrets.create('none');
  const waiting = finished(storeOf(SecretId), randomUUID(), { patienceMs: 5, everyMs: 1 });
  await expect(waiting).rejects.toMatchObject({ name: 'rotation_unfinished', details: { changed: true } });
});

test.each([
  [SESSION_KEYS, 'keys.rotate-signing-key', '"keys rotate"'],
  [RESOURCE_KEYS, 'keys.rotate-resource-key', '"keys rotate --resources"'],
])('finished names the log of the rotation of $signs, and its command', async (use, job, command) => {
  const store = storeOf(await secrets.create('none'), use);
  const waiting = finished(store, 'v', { patienceMs: 0, everyMs: 1 });
  const text = `The version v is not current yet: see the log of ${job}; ${command} starts again`;
  await expect(waiting).rejects.toThrow(text);
});

/** A Secrets Manager whose rotations make another version current at once; resolves to the secrets that it rotated. */
function rotating(): string[] {
  const rotated: string[] = [];
  secrets.script((operation, { SecretId }) => {
    if (operation === 'RotateSecret') {
      rotated.push(SecretId as string);
      return { VersionId: 'next' };
    }
    if (operation !== 'DescribeSecret' || rotated.length === 0) return undefined;
    return { VersionIdsToStages: { next: ['AWSCURRENT'] } };
  });
  return rotated;
}
const of = (SecretId: string, kid: string) => revoke([storeOf(SecretId)], kid, 0);

test.each([
  ['the secret of the key, also if it is not that of the instance', true, false],
  ['nothing when the key is superseded', false, true],
  ['its secret when the key is pending', false, false, ['AWSPENDING']],
])('a revocation rotates %s', async (_, isOther, isSuperseded, stages?: string[]) => {
  const own = await secrets.create('none');
  const secret = isOther ? await secrets.create('none') : own;
  const { kid } = await keyOf(secret, stages);
  if (isSuperseded) await keyOf(secret);
  const rotated = rotating();
  expect(await of(own, kid)).toMatchObject({ kid, version: isSuperseded ? null : 'next' });
  expect(rotated).toEqual(isSuperseded ? [] : [expect.stringContaining(secret)]);
  expect(secrets.operations().at(-1)).toBe('DescribeSecret');
  expect(await get(table, publicKeyItemKey(kid))).toMatchObject({ expires_at: 0 });
});

const KNOWN_STAGES = {
  signing: ['SIGNING'],
  next: ['AWSCURRENT'],
  pending: ['AWSPENDING'],
  former: ['OTHER'],
};

test.each([
  ['signing', true],
  ['next', true],
  ['pending', true],
  ['former', false],
] as const)('a revocation of the %s key of other services rotates: %s', async (which, rotates) => {
  const [sessions, own] = [await secrets.create('none'), await secrets.create('none')];
  const stored: Record<string, string> = {};
  for (const [name, stages] of Object.entries(KNOWN_STAGES))
    stored[name] = (await keyOf(own, stages, RESOURCE_KEYS)).kid;
  const rotated = rotating();
  const stores = [storeOf(sessions), storeOf(own, RESOURCE_KEYS)];
  const kid = stored[which] as string;
  expect(await revoke(stores, kid, 0)).toMatchObject({ kid, version: rotates ? 'next' : null });
  expect(rotated).toEqual(rotates ? [expect.stringContaining(own)] : []);
  expect(await get(table, resourceKeyItemKey(kid))).toMatchObject({ expires_at: 0 });
});

test('a revocation of a superseded key of sessions rotates nothing although its stage stayed', async () => {
  const own = await secrets.create('none');
  const { kid } = await keyOf(own, ['SIGNING']);
  await keyOf(own);
  const rotated = rotating();
  expect(await of(own, kid)).toMatchObject({ kid, version: null });
  expect(rotated).toEqual([]);
});

test('a revocation rotates when the version of the key is unknown', async () => {
  const own = await secrets.create('none');
  const { kid, publicJwk } = await newKeyPair();
  await put(table, publicKeyItemKey(kid), { jwk: publicJwk });
  await secrets.put(own, 'x', ['AWSPENDING', 'AWSCURRENT']);
  const rotated = rotating();
  await of(own, kid);
  expect(rotated).toEqual([own]);
});

test('a revocation rotates no secret that the item names without one of its versions', async () => {
  const own = await secrets.create('none');
  const foreign = await secrets.create('none');
  const { kid, publicJwk: jwk } = await newKeyPair();
  // Whoever may write the item could name any secret of the AWS account.
  await put(table, publicKeyItemKey(kid), { jwk, secret_id: foreign });
  await secrets.put(foreign, 'x', ['AWSPENDING', 'AWSCURRENT']);
  const rotated = rotating();
  expect(await of(own, kid)).toMatchObject({ kid, version: null });
  expect(rotated).toEqual([]);
});

test('a revocation ends the key of a secret that was deleted with its stack', async () => {
  const own = await secrets.create('none');
  const { kid, publicJwk: jwk } = await newKeyPair();
  await put(table, publicKeyItemKey(kid), { jwk, secret_id: 'arn:deleted', secret_version: 'v1' });
  const rotated = rotating();
  expect(await of(own, kid)).toMatchObject({ kid, version: null });
  expect(rotated).toEqual([]);
});

test('a revocation ends the key of a secret of another stack, which the policies of this one do not permit', async () => {
  const own = await secrets.create('none');
  const { kid, publicJwk: jwk } = await newKeyPair();
  await put(table, publicKeyItemKey(kid), { jwk, secret_id: 'arn:other', secret_version: 'v1' });
  secrets.script((_, { SecretId }) => {
    if (SecretId === 'arn:other') throw new ServiceError('AccessDeniedException', 'No');
    return undefined;
  });
  expect(await of(own, kid)).toMatchObject({ kid, version: null });
});

test('a revocation ends the key also when the rotation fails', async () => {
  const own = await secrets.create('none');
  const { kid } = await keyOf(own);
  secrets.script((operation) => {
    if (operation === 'DescribeSecret') throw new ServiceError('AccessDeniedException', 'No');
    return undefined;
  });
  const message = `The key ${kid} is revoked, but then: SecretsManager DescribeSecret: No`;
  const error = { name: 'AccessDeniedException', message, details: { changed: true } };
  await expect(of(own, kid)).rejects.toMatchObject(error);
  expect(await get(table, publicKeyItemKey(kid))).toMatchObject({ expires_at: 0 });
});

test('a revocation waits until no function caches the key', async () => {
  const own = await secrets.create('none');
  const { kid } = await keyOf(own);
  await keyOf(own);
  const from = performance.now();
  await revoke([storeOf(own)], kid, 500);
  expect(performance.now() - from).toBeGreaterThan(490);
});

/** A Secrets Manager whose rotations make `next` current at the second look. */
function rotatingTo(next: string) {
  let looks = 0;
  secrets.script((operation) => {
    if (operation === 'RotateSecret') return { VersionId: next };
    if (operation !== 'DescribeSecret') return undefined;
    return ++looks > 3 ? { VersionIdsToStages: { [next]: ['AWSCURRENT'] } } : undefined;
  });
}

test.each([
  [['--wait'], true],
  [[], false],
])('keys rotate %j answers the progress', async (options, done) => {
  rotatingTo('next');
  const { code, answer } = await json(['keys', 'rotate', ...options]);
  const progress = { version: 'next', mended: null, done, kid: null, signs_from: null };
  expect({ code, answer }).toEqual({ code: 0, answer: progress });
});

test.each([
  [[], NAMES.signingKey, 'sessions'],
  [['--resources'], NAMES.resourceKey, 'resources'],
])('keys rotate %j rotates %s', async (options, secret, signs) => {
  const rotated = rotating();
  const { code, answer } = await json(['keys', 'rotate', '--wait', ...options]);
  expect([code, Object.keys(answer)]).toEqual([0, ['version', 'mended', 'done', 'kid', 'signs_from']]);
  expect(rotated).toEqual([secret]);
  expect(audited()).toMatchObject([{ action: 'admin keys rotate', details: { version: 'next', signs } }]);
});

test('keys rotate reports a rotation whose progress cannot be read', async () => {
  rotatingTo('next');
  wire.script((operation) => (operation === 'Query' ? exception(400, 'AccessDeniedException') : undefined));
  const { code, answer } = await json(['keys', 'rotate']);
  const message = 'The rotation to next has started, but then: DynamoDB Query: AccessDeniedException';
  expect({ code, answer }).toEqual({ code: 1, answer: { code: 'AccessDeniedException', message } });
  const end = { outcome: 'AccessDeniedException', changed: true, details: { version: 'next' } };
  expect(audited()).toMatchObject([end]);
});

test.each([['no-such-key'], ['-no-such-key']])('keys revoke %s exits with 1', async (kid) => {
  const answer = { code: 'key_not_found', message: `The table has no key ${kid}` };
  expect(await json(['keys', 'revoke', kid])).toEqual({ code: 1, answer });
  expect(audited()).toMatchObject([{ target: kid, outcome: 'key_not_found', details: { kid } }]);
  expect(await get(table, publicKeyItemKey(kid))).toBeUndefined();
});

test('keys revoke finds a key of other services, and reports until when gateways may accept it', async () => {
  rotating();
  const { code, stdout, stderr } = await run(['keys', 'revoke', resourceKids.signing, '--json']);
  const { revoked_at, ...answer } = JSON.parse(stdout);
  expect([code, answer]).toEqual([0, { kid: resourceKids.signing, version: 'next' }]);
  const until = new Date(Date.parse(revoked_at) + 2 * 3_600_000).toISOString();
  expect(stderr).toContain(
    `Gateways cache keys for 2 hours: they may accept tokens by ${resourceKids.signing} until ${until}.\n`,
  );
});

test('keys revoke reports no gateways for a key of sessions', async () => {
  rotating();
  const { kid } = await keyOf(NAMES.signingKey);
  expect((await run(['keys', 'revoke', kid])).stderr).not.toContain('Gateways');
});
