import * as z from 'zod/mini';
import { newFields } from './new-fields.ts';
import { propertiesSchema } from './properties.ts';

/** Fields of a new account except its password, with the names of the profile. */
export const newAccount = () => z.extend(newFields(), { user_properties: z.optional(propertiesSchema()) });
