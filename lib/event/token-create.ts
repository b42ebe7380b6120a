import * as z from 'zod/mini';
import { type AccountEvent, text, time } from './account-event.ts';

/** A new API token; the event does not contain its secret. */
export const tokenCreate = {
  type: 'token_create',
  version: '1',
  summary: 'An API token was created',
  tells: [],
  own: () =>
    z.object({
      token_name: text(
        'Token name, unique within the account; an earlier, deleted token may have had the same name',
      ),
      token_created_at: time('Time at which the token was created'),
      token_created_by: text('Username, or `operator:<user>` for a command'),
    }),
  detail: (_account, { at, by }, name: string) => ({
    token_name: name,
    token_created_at: new Date(at).toISOString(),
    token_created_by: by,
  }),
  sample: 'ci',
} as const satisfies AccountEvent<z.ZodMiniObject, string>;
