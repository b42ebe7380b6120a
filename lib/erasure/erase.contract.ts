import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { ERASURE, KEEPING_NAMES, OWN_ITEMS, PUBLISHING } from '../contract/needs.ts';
import type { Texts } from '../texts.ts';
import { KINDS } from './kept.ts';

export const contract = {
  id: 'account.erase',
  summary: 'Erase an account',
  method: 'POST',
  path: '/api/core/account/erase/{username}',
  access: { role: 'sys_administrator' },
  stepUp: 'always',
  accounts: ['username'],
  accountsMayBeGone: true,
  needs: [
    ...KEEPING_NAMES,
    'table:BatchGetItem:ERASED',
    'table:GetItem:ERASING',
    'table:Query:OUTBOX',
    'transaction:DeleteItem:ACCOUNT:erase',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'transaction:UpdateItem:ERASED',
    'transaction:UpdateItem:ERASING',
    'transaction:UpdateItem:STATS:counter',
    'transaction:UpdateItem:SLICE:erase',
    'transaction:UpdateItem:OUTBOX:user_erase',
    ...ERASURE,
    ...OWN_ITEMS,
    ...PUBLISHING,
  ],
  audit: { target: 'account', details: ['userid', 'erased_at'] },
  title: 'Account Erased',
  repeatable: true,
  failures: ['account_not_found', 'self_target', 'account_active', 'account_cancelled_recently'],
  params: () => z.object({ username: username() }),
  response: () =>
    z.strictObject({
      userid: z.uuid(),
      erased_at: z.string(),
      erased_by: z.string(),
      complete: z.boolean(),
      kept: z.array(
        z.strictObject({
          kind: z.enum(KINDS),
          where: z.string(),
          what: z.string(),
          lasts: z.string(),
          why: z.string(),
          until: z.nullable(z.string()),
        }),
      ),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Forgets a person, as the GDPR demands (article 17): request it to delete a person or an account for good.',
    'Erases a cancelled account, and everything about the person: profile, properties, password, codes, passkeys, tokens, sessions, login attempts, and its names in the audit entries of the table, where it becomes `erased:<userid>`.',
    'From then on nothing of it is served; a job removes what is left within a day, and a repeat with the username or the ID then shows `complete: true` and changes nothing.',
    'Each answer proves the erasure: who, when, and in `kept` what remains where and until when.',
    'The cancellation must be <!-- erasure-days --> days old by default (`Settings:ErasureAfterDays`): before, the answer is 409 with `data.erasable_from`.',
    'Publishes the event `user_erase`, which has the ID and no name; events that wait are published first, and until the bus accepts them the answer is 503.',
    'The username is refused to new accounts from then on (409 `account_erased`).',
  ],
  params: {
    username:
      'Username of the cancelled account; after its erasure also its ID, which comes before a username of this form',
  },
  response: {
    name: 'ErasedAccount',
    fields: {
      userid: 'ID of the erased account',
      erased_at: 'Time of the erasure (UTC, ends in `Z`)',
      erased_by:
        'Username of the administrator, `erased:<userid>` after the erasure of that person, or an operator such as `operator:administrator`',
      complete: 'Whether nothing is left of it, except what `kept` lists',
      kept: 'What remains of the person where, for how long and why; with the retentions of this instance',
      kind: 'Kind of what remains, for programs',
      where: 'Place that has it',
      what: 'What it has',
      lasts: 'How long it stays, such as `365 days`, counted from when it was written',
      why: 'Purpose of it',
      until:
        'Time at which the last of it has gone at the latest (UTC, ends in `Z`); null if no time is certain',
    },
  },
} as const satisfies Texts;
