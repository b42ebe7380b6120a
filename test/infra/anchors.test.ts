import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import cancelled from '../../lib/event/schemas/user_cancel-1.json' with { type: 'json' };

/**
 * Lines of the generated parts of pages, written by hand: test/infra/docs.test.ts compares each part only with the code that
 * generates it.
 */
test.each([
  ['README.md', '| `oauth` | jwks, metadata, resource, introspect, revoke, token |'],
  [
    'README.md',
    '| `Settings:JwtExpireHours` | `24` | a number of hours above 0 and at most 720 | Lifetime of a session token; fractions are allowed. |',
  ],
  [
    'lib/http/endpoints.md',
    '| POST | `/api/core/account/lock/{username}` | `sys_administrator` | Lock an account |',
  ],
  ['lib/http/endpoints.md', '| POST | `/api/core/account/login` | anyone | Log in |'],
  [
    'lib/http/endpoints.md',
    '| POST | `/api/core/account/password` | own, or with a one-time code | Change a password |',
  ],
  ['lib/http/failures.md', '| 400 | `invalid_request` | The request is malformed or has invalid values. |'],
  ['lib/http/README.md', 'RateLimit-Policy: "username-and-address";q=5;w=300\n'],
  [
    'lib/auth/access.md',
    '| GET `/api/core/account/browse` | 401 | 401 | 403 | 403 | 403 | 403 | 403 | 200 | 200 | 403 | 200 |',
  ],
  [
    'lib/auth/access.md',
    '| POST `/api/core/account/lock/{username}` | 401 | 401 | 403 | 403 | 403 | 403 | 403 | 200 | 403 | 403 | 404 |',
  ],
  ['lib/auth/powers.md', '| replace an item of an account | none |'],
  ['lib/auth/powers.md', '| read password hashes | `account.login`, `account.password` |'],
  [
    'lib/auth/powers.md',
    '| read the private key | `account.login`, `account.passkey-assert`, `account.password`, `oauth.token`, `keys.rotate-signing-key` |',
  ],
  [
    'lib/table/README.md',
    '| account, its roles, teams and apps | `ACCOUNT#<username>` | `ACCOUNT` | GSI1: the directory, in 8 shards |',
  ],
  [
    'lib/table/README.md',
    '| API token; may expire | `TOKEN#<sha256>` | `TOKEN` | GSI1: all tokens, in 8 shards |',
  ],
  [
    'lib/table/costs.md',
    '| account.browse, by username; oauth.token, by an API token for another service | 2 | 2 | 0 | 2 GetItem |',
  ],
  [
    'lib/table/costs.md',
    '| account.cancel; account.reactivate | 3 | 2 | 10 | BatchGetItem, TransactWriteItems, DeleteItem, PutEvents |',
  ],
  [
    'lib/outbox/README.md',
    '| `user_cancel` | An account was cancelled | always | `cancelled_at`, `cancelled_by`, `teams`, `roles` |',
  ],
  ['lib/event/README.md', '| `id` | Event ID; the same in every delivery of the event | all |'],
  ['infra/aws/README.md', '| `account.login` | 50 | 100 |'],
  ['infra/aws/README.md', '| all others together | 1000 | 2000 |'],
  [
    'infra/stages/README.md',
    '| `account` | none | an AWS account ID of 12 digits | The only account that the stage may be deployed to. Requires `region`. |',
  ],
  [
    'infra/admin/permissions.md',
    '| `account sessions` | yes | BatchGetItem ENDED, GetItem ACCOUNT, Query KEYS, Query SESSION |',
  ],
  ['infra/admin/permissions.md', '| `account lockout` | no | GetItem ACCOUNT, UpdateItem ACCOUNT |'],
])('%s has the line %s', (page, line) => {
  expect(readFileSync(page, 'utf8')).toContain(`\n${line}`);
});

test('the published schema of user_cancel requires each of its fields, except the later `sequence`', () => {
  const fields =
    'version id hook app apps username userid transition cancelled_at cancelled_by teams roles requestID'.split(
      ' ',
    );
  expect(Object.keys(cancelled.properties).sort()).toEqual([...fields, 'sequence'].sort());
  expect(cancelled.required.toSorted()).toEqual(fields.toSorted());
});
