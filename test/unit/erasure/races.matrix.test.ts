import { beforeEach, expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { createCode } from '#lib/account/create-code';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { setLockoutEnabled } from '#lib/account/lockout-enabled';
import { changeMemberships } from '#lib/account/memberships';
import { updateProfile } from '#lib/account/profile/update';
import { resetStamp } from '#lib/account/reset-stamp';
import { authenticator } from '#lib/auth/authenticate';
import { completeErasures } from '#lib/erasure/complete';
import { type Erasing, eraseAccount } from '#lib/erasure/erase';
import { Failure } from '#lib/failure/failure';
import type { Account } from '#lib/item/account';
import { logIn } from '#lib/login/login';
import { removePasskey } from '#lib/passkey/delete';
import { setPassword } from '#lib/password/set-password';
import { readCounters } from '#lib/stats/counters';
import { SETTLED_MS } from '#lib/table/pass';
import { createLoginToken, createToken } from '#lib/token/create';
import { revokeAllTokens } from '#lib/token/revoke';
import { matrix } from '../../matrix.ts';
import { newName } from '../../names.ts';
import { ORIGIN, openPasskeys } from '../passkey/bench.ts';
import { by } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { logLines } from '../support/log-lines.ts';
import { shortestWaits } from '../support/shortest-waits.ts';
import { tracesIn, wholeTable } from './person.ts';

const bench = await openPasskeys({ ErasureAfterDays: '0' });
const { table, wire, clock, stored, user, optionsFor } = bench;
/** IDs of erased accounts, as a subscriber receives them from a bus that accepts every event. */
const told: unknown[] = [];
const runtime: Erasing = {
  ...bench.runtime,
  async publish(events) {
    for (const { detailType, detail } of events)
      if (detailType === 'user_erase') told.push((detail as { userid: string }).userid);
    return events;
  },
};
const signing = { ...runtime, signingKey: bench.signing.signingKey };
const ROOT = by('Root');
const PASSWORD = 'a long password of nobody';

logLines();
shortestWaits();

type Credential = readonly ['jwt' | 'api-token', string];
type Person = Awaited<ReturnType<typeof user>> & { readonly token: string };

/** What somebody sends, and the credentials of its answer. */
const REQUESTS: Readonly<Record<string, (person: Person) => Promise<() => Promise<Credential[]>>>> = {
  'a login':
    async ({ account: { username } }) =>
    async () => {
      const { data } = await logIn(signing, { username, password: PASSWORD }, gatewayEvent());
      return [['jwt', data.JWTtoken]];
    },
  'a login with a token':
    async ({ token }) =>
    async () => {
      const { data } = await logIn(signing, { username: 'api', password: token }, gatewayEvent());
      return [['jwt', data.JWTtoken]];
    },
  'an assertion of a passkey': async ({ device }) => {
    const credential = device.get(await optionsFor('assert'), { origin: ORIGIN });
    return async () => [['jwt', (await bench.send(credential, undefined, signing)).data.JWTtoken]];
  },
  'the creation of a token':
    async ({ account }) =>
    async () => [['api-token', (await createToken(runtime, account, 'ci', ROOT)).value as string]],
  'the creation of a login token':
    async ({ account }) =>
    async () => [
      ['api-token', (await createLoginToken(runtime, account, by(account.username))).value as string],
    ],
  'the creation of a code':
    async ({ account }) =>
    async () => {
      await createCode(runtime, account, ROOT, {});
      return [];
    },
  'the creation of an account with the name':
    async ({ account: { username } }) =>
    async () => {
      await createAccount(runtime, { username }, { publish: runtime.publish, actor: ROOT });
      return [];
    },
};

async function person(): Promise<Person> {
  const made = await user({ username: newName('zephyrine'), roles: ['editor'] });
  const token = (await createToken(runtime, made.account, 'laptop', ROOT)).value as string;
  await setPassword(runtime, await stored(made.account), PASSWORD);
  return { ...made, token, account: await stored(made.account) };
}

async function cancelAndErase(it: Account) {
  await cancelAccount(runtime, await stored(it), ROOT);
  await eraseAccount(runtime, it.username, await stored(it), ROOT);
}

const REFUSALS = new Set([
  ...['account_active', 'account_cancelled', 'account_erased', 'account_exists', 'account_not_found'],
  ...['invalid_credentials', 'session_not_found', 'passkey_not_found'],
]);
/** What requests were refused with, except for what a caller understands. */
const faults: unknown[] = [];
/** Argument of `catch` of a request that may be refused. */
function refused(error: unknown): [] {
  if (!(error instanceof Failure && REFUSALS.has(error.code))) faults.push(error);
  return [];
}
beforeEach(() => {
  faults.length = 0;
  return () => expect(faults).toEqual([]);
});

const isWrite = (operation: string) => /Put|Update|Delete|TransactWrite/.test(operation);
const authenticate = authenticator(runtime);

/** Shows that nothing of a person is served. */
async function expectEnded({ account, token }: Person, answered: Credential[], count: number) {
  await wire.settled();
  expect(await stored(account)).toBeUndefined();
  for (const [kind, value] of [...answered, ['api-token', token] as const])
    await expect(authenticate({ kind, value, address: undefined })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  expect((await readCounters(table)).count).toBe(count);
  expect(told.filter((id) => id === account.id)).toHaveLength(1);
}

/** Shows that nothing is left of some persons once the job has ended. */
async function expectForgotten(all: readonly Person[]) {
  clock.time += SETTLED_MS;
  await completeErasures(runtime, 'run');
  const items = await wholeTable(bench);
  for (const { account } of all) {
    expect(await eraseAccount(runtime, account.id, undefined, ROOT)).toMatchObject({ complete: true });
    for (const text of [account.username, ...Object.values(account.passkeys ?? {})])
      expect(tracesIn(items, text)).toEqual([]);
  }
}

/** The writes of a request or an erasure before which the other one comes. An erasure ends the account by its first. */
const writes = (quick: number) => matrix([1, 2, 3, 4, 5], (nth) => nth === quick);

test.each(Object.entries(REQUESTS))(
  '%s during which an erasure comes leaves nothing',
  async (_what, prepare) => {
    const all: Person[] = [];
    for (const nth of writes(1)) {
      const { count } = await readCounters(table);
      const it = await person();
      const send = await prepare(it);
      let erased: Promise<void> | undefined;
      wire.before(isWrite, () => (erased = cancelAndErase(it.account)), nth);
      const answered = await send().catch(refused);
      await erased;
      wire.reset();
      if (nth === 1) expect(erased).toBeDefined();
      if (!erased) await cancelAndErase(it.account);
      await expectEnded(it, answered, count);
      all.push(it);
      // The request has fewer writes.
      if (!erased) break;
    }
    await expectForgotten(all);
  },
);

test.each(Object.entries(REQUESTS))('%s during an erasure leaves nothing', async (_what, prepare) => {
  const all: Person[] = [];
  for (const nth of writes(2)) {
    const { count } = await readCounters(table);
    const it = await person();
    const send = await prepare(it);
    await cancelAccount(runtime, it.account, ROOT);
    const cancelled = await stored(it.account);
    let sent: Promise<Credential[]> | undefined;
    wire.before(isWrite, () => (sent = send().catch(refused)), nth);
    await eraseAccount(runtime, it.account.username, cancelled, ROOT);
    const answered = await sent;
    expect(answered).toBeDefined();
    wire.reset();
    await expectEnded(it, answered ?? [], count);
    all.push(it);
  }
  await expectForgotten(all);
});

const erase = (it: Account) => eraseAccount(runtime, it.username, it, ROOT);

/** What an administrator does to a cancelled account. */
const CHANGES: Readonly<Record<string, (it: Account, root: Account) => Promise<unknown>>> = {
  'another erasure': erase,
  'a reactivation': (it) => reactivateAccount(runtime, it, ROOT),
  'a reactivation without tokens': (it) => reactivateAccount(runtime, it, ROOT, { revoke_tokens: true }),
  'an unlock': (it) => unlockAccount(runtime, it, ROOT),
  'a lock': (it) => lockAccount(runtime, it, ROOT, { reason: `of ${it.username}` }),
  'a change of the profile': (it, root) =>
    updateProfile(runtime, root, { username: it.username, user_first_name: `F ${it.username}` }),
  'a change of properties': (it, root) =>
    updateProfile(runtime, root, { username: it.username, user_properties: { name: it.username } }),
  'a removal of roles': (it) => changeMemberships(runtime, it, { remove: { roles: ['editor'] } }),
  'a new password': (it) => setPassword(runtime, it, 'another password of nobody'),
  'a new stamp': (it) => resetStamp(runtime, it),
  'an exemption from lockouts': (it) => setLockoutEnabled(table, it, false),
  'a revocation of tokens': (it) => revokeAllTokens(runtime, it, ROOT),
  'the removal of a passkey': (it) => removePasskey(runtime, it, 'phone', ROOT, { isRemedy: true }),
};

async function cancelledPerson() {
  const it = await person();
  const root = await bench.account();
  await cancelAccount(runtime, it.account, ROOT);
  return { root, person: { ...it, account: await stored(it.account) } };
}

test.each(Object.entries(CHANGES))(
  '%s during which an erasure comes leaves nothing',
  async (_what, change) => {
    const all: Person[] = [];
    for (const nth of writes(1)) {
      const { root, person: it } = await cancelledPerson();
      const { count } = await readCounters(table);
      let erased: Promise<unknown> | undefined;
      wire.before(isWrite, () => (erased = erase(it.account).catch(refused)), nth);
      await change(it.account, root).catch(refused);
      if (nth === 1) expect(await erased).toMatchObject({ changed: true });
      wire.reset();
      const now = await stored(it.account);
      if (now?.isactive) await cancelAccount(runtime, now, ROOT);
      if (now) expect(await erase(await stored(it.account))).toMatchObject({ changed: true });
      await expectEnded(it, [], count - 1);
      all.push(it);
      // The change has fewer writes.
      if (!erased) break;
    }
    await expectForgotten(all);
  },
);

test.each(Object.entries(CHANGES))(
  'an erasure during which %s comes has one outcome',
  async (_what, change) => {
    const all: Person[] = [];
    for (const nth of writes(2)) {
      const { root, person: it } = await cancelledPerson();
      const { count } = await readCounters(table);
      let changed: Promise<unknown> | undefined;
      wire.before(isWrite, () => (changed = change(it.account, root).catch(refused)), nth);
      await erase(it.account).catch(refused);
      await changed;
      wire.reset();
      const now = await stored(it.account);
      if (now) {
        // The change came first, and made the account active.
        expect(now).toMatchObject({ isactive: true, id: it.account.id });
        expect(told).not.toContain(it.account.id);
        await cancelAccount(runtime, now, ROOT);
        await erase(await stored(it.account));
      }
      await expectEnded(it, [], count - 1);
      all.push(it);
    }
    await expectForgotten(all);
  },
);
