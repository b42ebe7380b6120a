import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { endSession, listSessions } from '#lib/account/sessions';
import { MAX_TOKENS } from '#lib/account/tokens/count';
import { endGeneration } from '#lib/account/tokens/revocation';
import { authenticateApiToken, authenticator } from '#lib/auth/authenticate';
import { type Account, liveTokens } from '#lib/item/account';
import { inspect } from '#lib/oauth/inspect';
import { revokeCredential } from '#lib/oauth/revoke';
import { tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { DAY_MS } from '#lib/time';
import { createLoginToken, createToken } from '#lib/token/create';
import { createRequested } from '#lib/token/create-once';
import { deleteToken } from '#lib/token/delete';
import { announceTokens } from '#lib/token/expiring';
import { browseTokens, listTokens } from '#lib/token/list';
import { LOGIN_TOKEN } from '#lib/token/record';
import { revokeAllTokens, tokensOf, tokensSince } from '#lib/token/revoke';
import { rotateToken } from '#lib/token/rotate';
import { hashApiToken } from '#lib/token/secret';
import { newName } from '../../names.ts';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { logInByToken, publishKey } from '../support/signing-keys.ts';

logLines();
const { table, wire, clock, runtime, account, stored } = await openTestTable({
  Events: 'token_delete,token_expiring',
});
const key = await publishKey(table);
const admin = by('admin');

type Token = { readonly value: string };
const codeOf = (result: Promise<unknown>) =>
  result.then(
    () => undefined,
    ({ code }) => code as string,
  );
/** The cause of the refusal of a token; undefined if it works. */
const causeOf = ({ value }: Token) =>
  authenticateApiToken(runtime, { value, address: undefined }).then(
    () => undefined,
    ({ cause }) => cause as string,
  );
const create = async (owner: Account, name: string, terms = {}) =>
  createToken(runtime, await stored(owner), name, admin, terms);
const namesOf = async (owner: Account) =>
  (await listTokens(runtime, await stored(owner))).items.map(({ name }) => name);
/** Ends all tokens, and leaves their items. */
const end = async (owner: Account) => endGeneration(runtime, await stored(owner), admin);

/** An account with a token of each name. */
async function ownerOf(...names: readonly string[]) {
  const owner = await account();
  const tokens: Token[] = [];
  for (const name of names) tokens.push(await create(owner, name));
  wire.reset();
  return { owner, tokens };
}

test('endGeneration ends all tokens in one write, and frees their names and places', async () => {
  const { owner, tokens } = await ownerOf('ci', 'cd');
  await setAttributes(table, owner, { token_count: MAX_TOKENS });
  expect(await codeOf(create(owner, 'more'))).toBe('token_limit');
  const read = await stored(owner);
  wire.reset();
  expect((await endGeneration(runtime, read, admin)).revoked).toBe(MAX_TOKENS);
  expect(wire.commands.map(({ operation }) => operation)).toEqual(['TransactWriteItems']);
  expect(await Promise.all(tokens.map(causeOf))).toEqual(['token_revoked', 'token_revoked']);
  const next = await create(owner, 'ci');
  expect(await causeOf(next)).toBeUndefined();
  expect(await codeOf(create(owner, 'ci'))).toBe('token_exists');
  expect(await namesOf(owner)).toEqual(['ci']);
  expect((await stored(owner)).token_count).toBe(1);
});

test('endGeneration counts the tokens that are valid when it is carried out', async () => {
  const { owner } = await ownerOf('a', 'b');
  await create(owner, 'soon', { expires_at: NOON + 1 });
  const read = await stored(owner);
  wire.before('TransactWriteItems', async () => {
    await deleteToken(runtime, await stored(owner), 'a', admin);
    for (const name of ['c', 'd']) await create(owner, name);
  });
  clock.time = NOON + 1;
  expect((await endGeneration(runtime, read, admin)).revoked).toBe(3);
});

test('a token of an earlier generation is absent for each reader before its item is removed', async () => {
  const { owner, tokens } = await ownerOf('other');
  const token = await create(owner, 'ci', { expires_at: NOON + 15 * DAY_MS });
  const headers = { 'idempotency-key': 'once' };
  const request = { actor: admin, headers, limits: {}, params: { token_name: 'made' }, body: {} };
  await createRequested(runtime, await stored(owner), request);
  await end(owner);
  const now = await stored(owner);
  const isOwn = ({ username }: { username: string }) => username === owner.username;
  expect(await listTokens(runtime, now)).toEqual({ items: [] });
  expect(await tokensOf(runtime, now)).toEqual({ tokens: 0, found: [] });
  expect((await browseTokens(runtime, {})).items.filter(isOwn)).toEqual([]);
  expect((await tokensSince(runtime, 0)).found.filter(isOwn)).toEqual([]);
  expect(liveTokens(now, NOON)).toBe(0);
  for (const use of [
    () => rotateToken(runtime, now, 'ci', admin, 0),
    () => rotateToken(runtime, now, 'ci', admin, 60),
    () => deleteToken(runtime, now, 'ci', admin),
  ])
    expect(await codeOf(use())).toBe('token_not_found');
  expect(await codeOf(createRequested(runtime, now, request))).toBe('token_deleted');
  const authenticate = authenticator(runtime);
  expect(await inspect(authenticate, token.value)).toMatchObject({ data: { active: false } });
  expect(
    (await revokeCredential(runtime, authenticate, token.value, admin, { value: '', limits: {} })).changed,
  ).toBe(false);
  clock.time = NOON + 2 * DAY_MS;
  expect(await announceTokens(runtime, 'run')).toMatchObject({ announced: 0 });
  expect(await Promise.all([token, ...tokens].map(causeOf))).toEqual(['token_revoked', 'token_revoked']);
});

test('no earlier generation written back revives a token after the next revocation', async () => {
  const { owner } = await ownerOf('ci');
  const { token_generation: first = 0 } = await stored(owner);
  await end(owner);
  const stolen = await create(owner, 'stolen');
  await setAttributes(table, owner, { token_generation: first });
  expect(await causeOf(stolen)).toBe('token_revoked');
  await revokeAllTokens(runtime, await stored(owner), admin);
  expect(await causeOf(stolen)).toBe('token_revoked');
});

test.each<[string, string, (owner: Account) => Promise<unknown>]>([
  ['rotateToken', 'token_not_found', (owner) => rotateToken(runtime, owner, 'ci', admin, 0)],
  ['deleteToken', 'token_not_found', (owner) => deleteToken(runtime, owner, 'ci', admin)],
])('%s does not bring back a token when all are revoked meanwhile', async (_name, code, use) => {
  const { owner } = await ownerOf('ci');
  const read = await stored(owner);
  wire.before('TransactWriteItems', () => end(owner));
  expect(await codeOf(use(read))).toBe(code);
  expect(await namesOf(owner)).toEqual([]);
});

test.each<[string, (owner: Account) => Promise<Token>]>([
  ['createToken', (owner) => createToken(runtime, owner, 'new', admin)],
  ['createLoginToken', (owner) => createLoginToken(runtime, owner, admin)],
])('%s creates a valid token when all others are revoked meanwhile', async (_name, use) => {
  const { owner } = await ownerOf(LOGIN_TOKEN);
  const read = await stored(owner);
  wire.before('TransactWriteItems', () => end(owner));
  expect(await causeOf(await use(read))).toBeUndefined();
  expect(await stored(owner)).toMatchObject({ token_count: 1, token_generation: expect.any(Number) });
});

test('sessions that a revoked token opened are refused, not listed, and not found', async () => {
  const { owner, tokens } = await ownerOf('ci');
  const [{ value }] = tokens as [Token];
  const opened = await logInByToken(runtime, key, value);
  // The token is read before the revocation, and the session recorded after it.
  wire.before('PutItem', () => end(owner));
  const late = await logInByToken(runtime, key, value);
  const authenticate = authenticator(runtime);
  for (const { JWTtoken } of [opened, late])
    await expect(authenticate({ kind: 'jwt', value: JWTtoken, address: undefined })).rejects.toMatchObject({
      cause: 'token_revoked',
    });
  const now = await stored(owner);
  expect((await listSessions(runtime, now)).items).toEqual([]);
  const { jti } = JSON.parse(Buffer.from(opened.JWTtoken.split('.')[1] ?? '', 'base64url').toString());
  expect(await codeOf(endSession(runtime, now, jti))).toBe('session_not_found');
  const next = await logInByToken(runtime, key, (await create(owner, 'ci')).value);
  await authenticate({ kind: 'jwt', value: next.JWTtoken, address: undefined });
  expect((await listSessions(runtime, now)).items).toHaveLength(1);
});

test('deleteToken and createLoginToken end a token although its items cannot be removed', async () => {
  const { owner, tokens } = await ownerOf('ci', LOGIN_TOKEN);
  wire.script((operation) => (operation === 'DeleteItem' ? DOWN : undefined));
  await deleteToken(runtime, await stored(owner), 'ci', admin);
  await createLoginToken(runtime, await stored(owner), admin);
  wire.reset();
  expect(await Promise.all(tokens.map(causeOf))).toEqual(['unknown_token', 'unknown_token']);
  expect(await namesOf(owner)).toEqual([LOGIN_TOKEN]);
  const browsed = (await browseTokens(runtime, {})).items.filter((it) => it.username === owner.username);
  expect(browsed.map(({ name }) => name)).toEqual([LOGIN_TOKEN]);
  expect(await codeOf(deleteToken(runtime, await stored(owner), 'ci', admin))).toBe('token_not_found');
  const next = await create(owner, 'ci');
  expect(await causeOf(next)).toBeUndefined();
  expect(await namesOf(owner)).toEqual(['ci', LOGIN_TOKEN]);
});

/** Writes a token as earlier versions stored it. */
async function storeAsBefore({ value }: Token) {
  const Key = tokenKey(hashApiToken(value));
  const { token_owner, token_roles, ...item } = (await get(table, Key)) as never as Record<string, unknown>;
  const Item = { ...item, username: token_owner, ...(token_roles ? { roles: token_roles } : {}) };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
}

test('a token of an earlier version keeps its owner and its roles until it is revoked', async () => {
  const owner = await account({ username: newName('old'), roles: ['a', 'b'] });
  const token = await create(owner, 'ci', { roles: ['a'] });
  await storeAsBefore(token);
  const {
    limits,
    caller,
    token: used,
  } = await authenticateApiToken(runtime, {
    value: token.value,
    address: undefined,
  });
  expect([limits, caller.username]).toEqual([{ roles: ['a'] }, owner.username]);
  expect(used?.item.username).toBe(owner.username);
  const shown = { username: owner.username, name: 'ci', token_roles: ['a'] };
  expect((await listTokens(runtime, await stored(owner))).items).toMatchObject([shown]);
  const browsed = (await browseTokens(runtime, {})).items.filter((it) => it.username === owner.username);
  expect(browsed).toMatchObject([shown]);
  const rotated = await rotateToken(runtime, await stored(owner), 'ci', admin, 60);
  expect(rotated).toMatchObject(shown);
  const { data } = await revokeAllTokens(runtime, await stored(owner), admin);
  expect(data.revoked).toBe(1);
  expect([await causeOf(token), await causeOf(rotated)]).toEqual(['unknown_token', 'unknown_token']);
});
