import * as z from 'zod/mini';
import { type AccountEvent, text, time } from './account-event.ts';

/** An account has a new API token. Its secret is in no event. */
export const tokenCreate = {
  type: 'token_create',
  version: '1',
  summary: 'An API token was created',
  tells: [],
  own: () =>
    z.object({
      token_name: text('Unique in the account; of another token before, perhaps'),
      token_created_at: time('When'),
      token_created_by: text('A username, or `operator:<user>`'),
    }),
  detail: (_account, { at, by }, name: string) => ({
    token_name: name,
    token_created_at: new Date(at).toISOString(),
    token_created_by: by,
  }),
  sample: 'ci',
} as const satisfies AccountEvent<z.ZodMiniObject, string>;
