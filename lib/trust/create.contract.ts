import * as z from 'zod/mini';
import { unlikeCredential, username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING } from '../contract/needs.ts';
import { wholeNumber } from '../item/fields.ts';
import type { Texts } from '../texts.ts';
import { limitTerms } from '../token/terms.ts';
import { claims, subject } from './claims.ts';
import { MAX_MINUTES } from './maxima.ts';
import { trustName, trustRecordSchema, trustTexts } from './record.ts';

export const contract = {
  id: 'trust.create',
  summary: 'Create a trust',
  method: 'POST',
  path: '/api/core/trust/create/{trust_name}/{username}',
  access: { role: 'sys_administrator' },
  stepUp: 'always',
  accounts: ['username'],
  needs: [
    'transaction:UpdateItem:ACCOUNT:trust_create',
    'transaction:ConditionCheckItem:ACCOUNT:session-guard',
    'transaction:ConditionCheckItem:TOKEN:end',
    'transaction:ConditionCheckItem:ENDED',
    'transaction:UpdateItem:TRUST',
    'transaction:UpdateItem:OUTBOX:trust_create',
    ...PUBLISHING,
  ],
  audit: { target: 'account', details: ['trust', 'issuer'] },
  title: 'Trust Created',
  failures: ['account_cancelled', 'person_account', 'trust_exists', 'trust_limit'],
  params: () => z.object({ trust_name: trustName().check(unlikeCredential()), username: username() }),
  maxBodyBytes: 64 * 1024,
  body: () =>
    z.strictObject({
      issuer: z.string().check(z.minLength(1), z.maxLength(128)),
      subject: subject(),
      claims: z.optional(claims()),
      max_minutes: z.optional(wholeNumber(1, MAX_MINUTES)),
      ...limitTerms(),
    }),
  response: trustRecordSchema,
} as const satisfies Contract;

export const texts = {
  description: [
    'Lets a machine sign in with tokens of an issuer, so that nobody stores a secret.',
    'A token must have the subject and all claims; the machine then gets a session of at most `max_minutes` with the roles, access and addresses of the trust.',
    'A machine has at most <!-- max-trusts --> trusts.',
    'A trust inherits each limit of the credential that creates it and cannot exceed it; a credential with an end creates none.',
  ],
  params: { trust_name: 'Name of the trust, unique within the machine' },
  body: {
    name: 'NewTrust',
    fields: {
      issuer: 'Name of an issuer in `Settings:Issuers`',
      subject:
        'Subject (`sub`) of the token, exactly; or how it begins, with one `*` at the end directly after `:` or `/`',
      claims:
        'Up to <!-- max-claims --> values that the token must have in its claims, in objects up to two levels deep. GitHub needs `repository_id` or `repository_owner_id`, GitLab `project_id` or `namespace_id`',
      max_minutes:
        'Lifetime of the sessions in minutes, at most <!-- max-trust-minutes -->; <!-- trust-minutes --> by default. A session for an access token (`at+jwt`) ends with it',
      access: '`read` permits GET requests only, logout excepted; `full` by default',
      roles: 'Only these roles of the machine count for the sessions; all of its roles by default',
      addresses:
        'Source addresses that may use the sessions, as IPv4 or IPv6 addresses or CIDR blocks; others are refused',
    },
  },
  response: trustTexts,
} as const satisfies Texts;
