import * as z from 'zod/mini';
import type { roleOrAppName } from './identifiers.ts';
import { newFields } from './new-fields.ts';
import { propertiesSchema } from './properties.ts';

/** Fields of a new account except its password, with the names of the profile. */
export const newAccount = (role?: typeof roleOrAppName) =>
  z.extend(newFields(role), { user_properties: z.optional(propertiesSchema()) });
