import * as z from 'zod/mini';
import { directoryItemSchema } from '../directory/item.ts';

/** An account after a change of its state, in the answer. */
export const changedItemSchema = () => z.extend(directoryItemSchema(), { changed: z.boolean() });
