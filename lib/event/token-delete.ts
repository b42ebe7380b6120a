import * as z from 'zod/mini';
import { type AccountEvent, text, time } from './account-event.ts';

/** An API token was deleted: it is refused from now on. */
export const tokenDelete = {
  type: 'token_delete',
  version: '1',
  summary: 'An API token was deleted',
  tells: [],
  own: () =>
    z.object({
      token_name: text('Unique in the account; another token may have it later'),
      token_deleted_at: time('When'),
      token_deleted_by: text('A username, or `operator:<user>`'),
    }),
  detail: (_account, { at, by }, name: string) => ({
    token_name: name,
    token_deleted_at: new Date(at).toISOString(),
    token_deleted_by: by,
  }),
  sample: 'ci',
} as const satisfies AccountEvent<z.ZodMiniObject, string>;
