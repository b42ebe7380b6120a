import * as z from 'zod/mini';
import { type AccountEvent, text, time } from './account-event.ts';

/** A deleted API token, refused from the next request on. */
export const tokenDelete = {
  type: 'token_delete',
  version: '1',
  summary: 'An API token was deleted',
  tells: [],
  own: () =>
    z.object({
      token_name: text('Token name, unique within the account; a later token may have the same name'),
      token_deleted_at: time('Time at which the token was deleted'),
      token_deleted_by: text('Username, or `operator:<user>` for a command'),
    }),
  detail: (_account, { at, by }, name: string) => ({
    token_name: name,
    token_deleted_at: new Date(at).toISOString(),
    token_deleted_by: by,
  }),
  sample: 'ci',
} as const satisfies AccountEvent<z.ZodMiniObject, string>;
