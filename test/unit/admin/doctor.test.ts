import { expect, test } from 'vitest';
import {
  clockCheck,
  eventsCheck,
  outputsCheck,
  passwordCostCheck,
  serviceCheck,
  settingsCheck,
  tableCheck,
  unchecked,
} from '#infra/admin/doctor/checks';
import type { Finding } from '#infra/admin/restore/findings';
import type { TriedEvent } from '#lib/outbox/trials';
import { readSettings } from '#lib/settings';
import { NOON } from '../support/engine.ts';

const settings = readSettings((name) => ({ BcryptCost: '11', Events: 'user_lock' })[name as string]);
const event = (minutes: number, more: Partial<TriedEvent> = {}): TriedEvent => ({
  id: 'id',
  detailType: 'user_lock',
  detail: {},
  createdAt: NOON - minutes * 60_000,
  ...more,
});
const finding = (check: Finding['check']): Finding => ({ check, state: 'missing', found: 'off' });
const gone = Object.assign(new Error('No secret'), { name: 'ResourceNotFoundException' });
const denied = Object.assign(new Error('No'), { name: 'AccessDeniedException' });
const at = (seconds: number) => new Date(NOON + seconds * 1000).toUTCString();

test.each([
  ['a clock that is right', clockCheck(at(0), NOON + 600), 'ok', '0.1 s ahead of'],
  ['a clock that is ahead', clockCheck(at(0), NOON + 31_000), 'wrong', '30.5 s ahead of'],
  ['a clock that is behind', clockCheck(at(60), NOON), 'wrong', '60.5 s behind'],
  ['a server without a clock', clockCheck(undefined, NOON), 'unknown', 'tells no time'],
  ['an empty outbox', eventsCheck([], NOON), 'ok', '0 wait'],
  ['an event of just now', eventsCheck([event(1)], NOON), 'ok', '1 wait'],
  [
    'an event that waits',
    eventsCheck([event(6, { lastError: 'Denied' })], NOON),
    'wrong',
    '(Denied): "events pending"',
  ],
  ['one that is set aside', eventsCheck([event(2000, { setAsideAt: NOON })], NOON), 'wrong', '1 set aside'],
  [
    'an index that is not there',
    tableCheck(finding('index_GSI1'), true),
    'missing',
    '"restore check --mend"',
  ],
  ['a table that may be deleted', tableCheck(finding('deletion_protection'), false), 'missing', '--mend'],
  ['a local one', tableCheck(finding('deletion_protection'), true), 'ok', 'local'],
  ['settings', settingsCheck(settings), 'ok', 'BcryptCost 11, Events user_cancel,user_reactivate,user_lock'],
  ['hashes of that cost', passwordCostCheck(settings, 11), 'ok', 'take cost 11'],
  ['dearer hashes', passwordCostCheck(settings, 12), 'ok', '"account password-costs"'],
  ['outputs', outputsCheck({ A: 'a', B: {} }), 'ok', 'A, B'],
  ['an output that is not there', outputsCheck({ A: 'a', B: undefined }), 'missing', 'no B: deploy'],
  ['what is gone', unchecked('signing_key', gone), 'wrong', 'Deploy the stack again'],
  ['what is not permitted', unchecked('table', denied), 'wrong', 'README.md tells'],
  [
    'any other fault',
    unchecked('table', new Error('ECONNRESET')),
    'wrong',
    'cannot be checked: Error: ECONN',
  ],
  ['a service that answers', serviceCheck(401), 'ok', 'refuses'],
  ['a service that fails', serviceCheck(503), 'wrong', 'answers 503'],
  ['a service that is away', serviceCheck(new Error('connect ECONNREFUSED')), 'wrong', 'ECONNREFUSED: is it'],
])('of %s it says what is so', (_what, { state, found }, expected, words) => {
  expect({ state, found }).toEqual({ state: expected, found: expect.stringContaining(words) });
});
