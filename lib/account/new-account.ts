import * as z from 'zod/mini';
import { filledIn } from '../item/fields.ts';
import { MAX_APPS, MAX_ROLES, MAX_TEAMS, sameUsername } from './account.ts';
import { API_USERNAME, roleOrAppName, unlikeCredential, username } from './identifiers.ts';
import { propertiesSchema } from './properties.ts';

const unreserved = () =>
  z.refine((name) => !sameUsername(String(name), API_USERNAME), 'This name is reserved');

/** Fields of a new account except its password, with the names of the profile. */
export const newAccount = () =>
  z.extend(z.partial(filledIn()), {
    username: username().check(unlikeCredential(), unreserved()),
    user_properties: z.optional(propertiesSchema()),
    emailconfirmed: z._default(z.boolean(), false),
    lockoutenabled: z._default(z.boolean(), true),
    /** The first is the default application. */
    apps: z._default(z.array(roleOrAppName()).check(z.minLength(1), z.maxLength(MAX_APPS)), ['core']),
    roles: z._default(z.array(roleOrAppName()).check(z.maxLength(MAX_ROLES)), []),
    /** Short names of teams; the first is the default team. */
    teams: z._default(z.array(z.string()).check(z.maxLength(MAX_TEAMS)), []),
  });
