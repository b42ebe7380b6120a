import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { PublicKeyItem } from '#lib/item/instance';
import { LEAD_MS } from '#lib/session/lead';
import { publishKey } from '#lib/session/publish-key';
import { publicKeyItemKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { finished, listKeys, progressOf, revoke, startRotation } from '../../../infra/admin/keys.ts';
import { ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { exception } from '../../wire/dynamodb-proxy.ts';
import { NOON } from '../support/items.ts';
import { newKeyPair } from '../support/signing-keys.ts';
import { openInstance } from './operator.ts';

const { table, wire, secrets, json, run, signingKid, audited } = await openInstance();

/** The second in which the file began: commands work by the clock of the machine. */
const START = Math.floor(Date.now() / 1000) * 1000;

const storeOf = (SecretId: string) => ({ secrets: secrets.client, SecretId, table });

/** A secret whose current version is a key that is published. */
async function keyOf(SecretId: string, stages?: string[]) {
  const { privateJwk } = await newKeyPair();
  const { ARN = '', VersionId = '' } = await secrets.put(SecretId, JSON.stringify(privateJwk), stages);
  await publishKey(table, { jwk: privateJwk, secret: ARN, version: VersionId }, START);
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
  const listed = listKeys(items, own, NOON).map((key) => Object.values(key).join(' '));
  expect(listed.join(', ')).toBe(expected);
});

test('keys list prints a line for each key, with its secret', async () => {
  const { stdout } = await run(['keys', 'list']);
  expect(stdout).toMatch(/^([\w-]{43} {2}\w+ {2}(\d+ days?|unknown age) {2}\S+\n)+$/);
  expect(stdout).toMatch(new RegExp(`^${signingKid} {2}signs {2}.* {2}own$`, 'm'));
});

test('finished refuses a rotation that does not end', async () => {
  const SecretId = await secrets.create('none');
  const waiting = finished(storeOf(SecretId), randomUUID(), { patienceMs: 5, everyMs: 1 });
  await expect(waiting).rejects.toMatchObject({ name: 'rotation_unfinished', details: { changed: true } });
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
const of = (SecretId: string, kid: string) => revoke(storeOf(SecretId), kid, 0);

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
  await revoke(storeOf(own), kid, 500);
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
