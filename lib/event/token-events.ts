import { DAYS_AHEAD, type Reminder } from '../item/token.ts';
import { type AccountEvent, amount, changed, changeOf, text, time } from './account-event.ts';

const tokenName = () =>
  text('Token name, unique within the account; an earlier or later token may have the same name');

/** A new API token; the event does not contain its secret. */
export const tokenCreate = {
  type: 'token_create',
  version: '1',
  summary: 'An API token was created',
  own: () => ({
    token_name: tokenName(),
    ...changed('token_created', 'Time at which the token was created'),
  }),
  detail: (_account, change, token_name: string) => ({ token_name, ...changeOf('token_created', change) }),
  sample: 'ci',
} as const satisfies AccountEvent<string>;

/** A deleted API token, refused from the next request on. */
export const tokenDelete = {
  type: 'token_delete',
  version: '1',
  summary: 'An API token was deleted',
  own: () => ({
    token_name: tokenName(),
    ...changed('token_deleted', 'Time at which the token was deleted'),
  }),
  detail: (_account, change, token_name: string) => ({ token_name, ...changeOf('token_deleted', change) }),
  sample: 'ci',
} as const satisfies AccountEvent<string>;

type Ending = Pick<Reminder, 'name' | 'expires_at' | 'days'>;

export const tokenExpiring = {
  type: 'token_expiring',
  version: '1',
  summary: 'An API token expires soon',
  own: () => ({
    token_name: tokenName(),
    token_expires_at: time('Time from which the token is refused'),
    days_before: amount(`Days before the end: ${DAYS_AHEAD.join(' or ')}; an outage may delay the event`),
  }),
  detail: (_account, _change, { name, expires_at, days }: Ending) => ({
    token_name: name,
    token_expires_at: new Date(expires_at).toISOString(),
    days_before: days,
  }),
  // 2026-12-04T05:30:00Z as a literal: esbuild keeps an event with a call in every bundle that imports this file.
  sample: { name: 'ci', expires_at: 1_796_362_200_000, days: 14 },
} as const satisfies AccountEvent<Ending>;

/** A new secret of an API token; the event contains neither secret. */
export const tokenRotate = {
  type: 'token_rotate',
  version: '1',
  summary: 'An API token got a new secret',
  own: () => ({
    token_name: tokenName(),
    ...changed(
      'token_rotated',
      'Time at which the secret was replaced; the former one may work for a day more',
    ),
  }),
  detail: (_account, change, token_name: string) => ({ token_name, ...changeOf('token_rotated', change) }),
  sample: 'ci',
} as const satisfies AccountEvent<string>;
