import * as z from 'zod/mini';
import type { Reminder } from '../item/token.ts';
import { type AccountEvent, actor, amount, text, time } from './account-event.ts';

/** A new API token; the event does not contain its secret. */
export const tokenCreate = {
  type: 'token_create',
  version: '1',
  summary: 'An API token was created',
  own: () =>
    z.object({
      token_name: text(
        'Token name, unique within the account; an earlier, deleted token may have had the same name',
      ),
      token_created_at: time('Time at which the token was created'),
      token_created_by: actor(),
    }),
  detail: (_account, { at, by }, name: string) => ({
    token_name: name,
    token_created_at: new Date(at).toISOString(),
    token_created_by: by,
  }),
  sample: 'ci',
} as const satisfies AccountEvent<z.ZodMiniObject, string>;

/** A deleted API token, refused from the next request on. */
export const tokenDelete = {
  type: 'token_delete',
  version: '1',
  summary: 'An API token was deleted',
  own: () =>
    z.object({
      token_name: text('Token name, unique within the account; a later token may have the same name'),
      token_deleted_at: time('Time at which the token was deleted'),
      token_deleted_by: actor(),
    }),
  detail: (_account, { at, by }, name: string) => ({
    token_name: name,
    token_deleted_at: new Date(at).toISOString(),
    token_deleted_by: by,
  }),
  sample: 'ci',
} as const satisfies AccountEvent<z.ZodMiniObject, string>;

type Ending = Pick<Reminder, 'name' | 'expires_at' | 'days'>;

export const tokenExpiring = {
  type: 'token_expiring',
  version: '1',
  summary: 'An API token expires in 14 or 3 days',
  own: () =>
    z.object({
      token_name: text('Token name, unique within the account'),
      token_expires_at: time('Time from which the token is refused'),
      days_before: amount('Days before the end: 14 or 3; after an outage the event is late'),
    }),
  detail: (_account, _change, { name, expires_at, days }: Ending) => ({
    token_name: name,
    token_expires_at: new Date(expires_at).toISOString(),
    days_before: days,
  }),
  // 2026-12-04T05:30:00Z as a literal: esbuild keeps an event with a call in every bundle that imports this file.
  sample: { name: 'ci', expires_at: 1_796_362_200_000, days: 14 },
} as const satisfies AccountEvent<z.ZodMiniObject, Ending>;

/** A new secret of an API token; the event contains neither secret. */
export const tokenRotate = {
  type: 'token_rotate',
  version: '1',
  summary: 'An API token got a new secret',
  own: () =>
    z.object({
      token_name: text('Token name, unique within the account'),
      token_rotated_at: time('Time at which the secret was replaced; the former one may work for a day more'),
      token_rotated_by: actor(),
    }),
  detail: (_account, { at, by }, name: string) => ({
    token_name: name,
    token_rotated_at: new Date(at).toISOString(),
    token_rotated_by: by,
  }),
  sample: 'ci',
} as const satisfies AccountEvent<z.ZodMiniObject, string>;
