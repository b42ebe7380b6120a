import * as z from 'zod/mini';
import type { SchemaTexts } from '../../texts.ts';
import { accountTexts, directoryItemSchema } from '../directory/item.ts';

/** An account after a change of its state, in the answer. */
export const changedItemSchema = () => z.extend(directoryItemSchema(), { changed: z.boolean() });

export const changedAccountTexts = {
  name: 'ChangedAccount',
  parts: [accountTexts],
  fields: { changed: 'Whether the request changed the state; false for a repeated request' },
} as const satisfies SchemaTexts;
