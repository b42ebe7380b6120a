import * as z from 'zod/mini';
import { type AccountEvent, text, time } from './account-event.ts';

/** A new secret of an API token; the event contains neither secret. */
export const tokenRotate = {
  type: 'token_rotate',
  version: '1',
  summary: 'An API token got a new secret',
  tells: [],
  own: () =>
    z.object({
      token_name: text('Token name, unique within the account'),
      token_rotated_at: time('Time at which the secret was replaced; the former one may work for a day more'),
      token_rotated_by: text('Username, or `operator:<user>` for a command'),
    }),
  detail: (_account, { at, by }, name: string) => ({
    token_name: name,
    token_rotated_at: new Date(at).toISOString(),
    token_rotated_by: by,
  }),
  sample: 'ci',
} as const satisfies AccountEvent<z.ZodMiniObject, string>;
