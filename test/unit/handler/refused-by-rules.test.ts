import { expect, test } from 'vitest';
import { changeAccess } from '#lib/account/access';
import { contract as create } from '#lib/account/create.contract';
import { createCode } from '#lib/account/create-code';
import { createInvited } from '#lib/account/invite';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { MAX_ROLES } from '#lib/account/maxima';
import { copyMemberships } from '#lib/account/memberships';
import { switchContext } from '#lib/account/profile/context';
import { updateProfile } from '#lib/account/profile/update';
import { MAX_TOKENS } from '#lib/account/tokens/count';
import type { FailureCode } from '#lib/failure/codes';
import { asFailure } from '#lib/http/envelope';
import { parse } from '#lib/input/parse';
import { FOREVER } from '#lib/item/account';
import type { CredentialLimits } from '#lib/item/token';
import { createToken } from '#lib/token/create';
import { createRequested } from '#lib/token/create-once';
import { deleteToken } from '#lib/token/delete';
import { rotateRequested } from '#lib/token/rotate';
import { by, openTestTable } from '../support/engine.ts';
import { accountItem, uuidOf } from '../support/items.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, runtime, account, stored } = await openTestTable();
const root = by('root');
const ROOT = accountItem({ username: 'root' });
const READ: CredentialLimits = { access: 'read' };
const fullRoles = Array.from({ length: MAX_ROLES }, (_, n) => `role-${n}`);
const bodyOf = (body: object) => parse(create.body(), body);
let numbers = 0;
const unique = (name: string) => `${name}-${++numbers}`;

/** A rule that can refuse a request for several reasons. */
interface Rule {
  /** The code of each fault, in the order in which they decide. */
  readonly order: Readonly<Record<string, FailureCode>>;
  readonly attempt: (has: (fault: string) => boolean) => Promise<unknown>;
}

const RULES: Readonly<Record<string, Rule>> = {
  'token.create': {
    order: {
      'a key of another request': 'idempotency_key_reused',
      'more than the credential has': 'forbidden',
      'a role of others': 'invalid_request',
      'a cancelled account': 'account_cancelled',
      'a name in use': 'token_exists',
      'the maximum of tokens': 'token_limit',
    },
    attempt: async (has) => {
      const owner = await account({ roles: ['a'] });
      const headers = { 'idempotency-key': unique('key') };
      const request = { actor: root, headers, limits: {}, body: {} };
      if (has('a key of another request'))
        await createRequested(runtime, owner, { ...request, params: { token_name: 'other' } });
      if (has('a name in use')) await createToken(runtime, owner, 'ci', root);
      const current = await setAttributes(table, owner, {
        isactive: !has('a cancelled account'),
        token_count: has('the maximum of tokens') ? MAX_TOKENS : 1,
      });
      return createRequested(runtime, current, {
        ...request,
        params: { token_name: 'ci' },
        limits: READ,
        body: {
          access: has('more than the credential has') ? 'full' : 'read',
          ...(has('a role of others') && { roles: ['b'] }),
        },
      });
    },
  },
  'token.rotate': {
    order: {
      'a key of another request': 'idempotency_key_reused',
      'no token': 'token_not_found',
      'more than the credential has': 'forbidden',
      'a cancelled account': 'account_cancelled',
    },
    attempt: async (has) => {
      const owner = await account();
      await createToken(runtime, owner, 'ci', root);
      const headers = { 'idempotency-key': unique('key') };
      const request = { actor: root, headers, params: { token_name: 'ci' }, limits: {} };
      if (has('a key of another request'))
        await rotateRequested(runtime, owner, { ...request, body: { overlap_minutes: 60 } });
      if (has('no token')) await deleteToken(runtime, await stored(owner), 'ci', root);
      const current = await setAttributes(table, owner, { isactive: !has('a cancelled account') });
      const limits = has('more than the credential has') ? READ : {};
      return rotateRequested(runtime, current, { ...request, limits, body: {} });
    },
  },
  'account.create': {
    order: {
      'a key of another request': 'idempotency_key_reused',
      'an invitation by a narrow credential': 'forbidden',
      'an unknown team': 'team_not_found',
      'a username in use': 'account_exists',
    },
    attempt: async (has) => {
      const headers = { 'idempotency-key': unique('key') };
      const request = { actor: root, caller: ROOT, headers, limits: READ };
      if (has('a key of another request'))
        await createInvited(runtime, { ...request, body: bodyOf({ username: unique('other') }) });
      const username = has('a username in use') ? (await account()).username : unique('new');
      const body = bodyOf({
        username,
        ...(has('an invitation by a narrow credential') && { invite_hours: 1 }),
        ...(has('an unknown team') && { teams: ['none'] }),
      });
      return createInvited(runtime, { ...request, body });
    },
  },
  'account.access': {
    order: {
      'an unknown team': 'team_not_found',
      'a cancelled account': 'account_cancelled',
      'the maximum of roles': 'role_limit',
    },
    attempt: async (has) => {
      const caller = await account({ roles: ['sys_administrator'] });
      const target = await account({
        roles: has('the maximum of roles') ? fullRoles : [],
        isactive: !has('a cancelled account'),
      });
      const teams = has('an unknown team') ? ['none'] : [];
      return changeAccess(runtime, caller, target, { add: { roles: ['new'], teams } }, by(caller.username));
    },
  },
  'account.copy': {
    order: { 'a cancelled account': 'account_cancelled', 'the maximum of roles': 'role_limit' },
    attempt: async (has) => {
      const roles = has('the maximum of roles') ? fullRoles : [];
      const target = await account({ roles, isactive: !has('a cancelled account') });
      return copyMemberships(runtime, await account({ roles: ['new'] }), target);
    },
  },
  'account.profile-update': {
    order: {
      'an unknown account': 'account_not_found',
      'another version': 'precondition_failed',
      'a team of others': 'team_not_member',
    },
    attempt: async (has) => {
      const { username } = has('an unknown account') ? { username: unique('nobody') } : await account();
      const body = { username, ...(has('a team of others') && { team_id: uuidOf(9) }) };
      return updateProfile(runtime, await account(), body, has('another version') ? '"other"' : '*');
    },
  },
  'account.context': {
    order: { 'an application of others': 'app_not_found', 'a cancelled account': 'account_cancelled' },
    attempt: async (has) => {
      const target = await account({ apps: ['core'], isactive: !has('a cancelled account') });
      return switchContext(table, target, has('an application of others') ? 'other' : 'core');
    },
  },
  'account.code': {
    order: {
      'a narrow credential': 'forbidden',
      'a cancelled account': 'account_cancelled',
      'a locked account': 'account_locked',
    },
    attempt: async (has) => {
      const target = await account({
        isactive: !has('a cancelled account'),
        ...(has('a locked account') && { lockoutend: FOREVER }),
      });
      return createCode(runtime, target, root, has('a narrow credential') ? READ : {});
    },
  },
  'account.lock': {
    order: { 'an end that has passed': 'invalid_request', 'the own account': 'self_target' },
    attempt: async (has) => {
      const target = await account();
      const actor = has('the own account') ? by(target.username) : root;
      return lockAccount(runtime, target, actor, has('an end that has passed') ? { until: 0 } : {});
    },
  },
};

/** Each fault alone, and each two at once. */
const combinationsIn = (faults: readonly string[]) =>
  faults.flatMap((one, n) => [[one], ...faults.slice(n + 1).map((other) => [one, other])]);

test.each(Object.entries(RULES))('%s answers the first of two faults', async (_id, { order, attempt }) => {
  const answers: Record<string, string> = { 'no fault': await outcome(() => attempt(() => false)) };
  const expected: Record<string, string> = { 'no fault': 'accepted' };
  for (const faults of combinationsIn(Object.keys(order))) {
    const name = faults.join(' and ');
    answers[name] = await outcome(() => attempt((fault) => faults.includes(fault)));
    expected[name] = order[faults[0] as string] as string;
  }
  expect(answers).toEqual(expected);
});

const outcome = (work: () => Promise<unknown>) =>
  work().then(
    () => 'accepted',
    (error: unknown) => asFailure(error).code,
  );
