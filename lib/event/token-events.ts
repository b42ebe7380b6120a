import { DAYS_AHEAD, type Reminder } from '../item/token.ts';
import type { EventDefinition } from './event.ts';
import { amount, changed, changeOf, text, time } from './fields.ts';

const tokenName = () =>
  text('Token name, unique within the account; an earlier or later token may have the same name');

/** A new API token; the event does not contain its secret. */
export const token_create = {
  type: 'token_create',
  version: '1',
  subject: 'account',
  summary: 'An API token was created',
  own: () => ({
    token_name: tokenName(),
    ...changed('token_created', 'Time at which the token was created'),
  }),
  detail: (_account, occurrence, token_name: string) => ({
    token_name,
    ...changeOf('token_created', occurrence),
  }),
  sample: 'ci',
} as const satisfies EventDefinition<'account', string>;

/** A deleted API token, refused from the next request on. */
export const token_delete = {
  type: 'token_delete',
  version: '1',
  subject: 'account',
  summary: 'An API token was deleted',
  own: () => ({
    token_name: tokenName(),
    ...changed('token_deleted', 'Time at which the token was deleted'),
  }),
  detail: (_account, occurrence, token_name: string) => ({
    token_name,
    ...changeOf('token_deleted', occurrence),
  }),
  sample: 'ci',
} as const satisfies EventDefinition<'account', string>;

type Ending = Pick<Reminder, 'name' | 'expires_at' | 'days'>;

export const token_expiring = {
  type: 'token_expiring',
  version: '1',
  subject: 'account',
  summary: 'An API token expires soon',
  own: () => ({
    token_name: tokenName(),
    token_expires_at: time('Time from which the token is refused'),
    days_before: amount(`Days before the end: ${DAYS_AHEAD.join(' or ')}; an outage may delay the event`),
  }),
  detail: (_account, _occurrence, { name, expires_at, days }: Ending) => ({
    token_name: name,
    token_expires_at: new Date(expires_at).toISOString(),
    days_before: days,
  }),
  // 2026-12-04T05:30:00Z as a literal: esbuild keeps an event with a call in every bundle that imports this file.
  sample: { name: 'ci', expires_at: 1_796_362_200_000, days: 14 },
} as const satisfies EventDefinition<'account', Ending>;

/** A new secret of an API token; the event contains neither secret. */
export const token_rotate = {
  type: 'token_rotate',
  version: '1',
  subject: 'account',
  summary: 'An API token got a new secret',
  own: () => ({
    token_name: tokenName(),
    ...changed(
      'token_rotated',
      'Time at which the secret was replaced; the former one may work for a day more',
    ),
  }),
  detail: (_account, occurrence, token_name: string) => ({
    token_name,
    ...changeOf('token_rotated', occurrence),
  }),
  sample: 'ci',
} as const satisfies EventDefinition<'account', string>;
