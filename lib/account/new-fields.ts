import * as z from 'zod/mini';
import { ROTATOR } from '../item/audit-entry.ts';
import { filledIn, intact } from '../item/fields.ts';
import { teamShort } from '../item/team.ts';
import { API_USERNAME, roleOrAppName, unlikeCredential, username } from './identifiers.ts';
import { KINDS } from './kinds.ts';
import { MAX_APPS, MAX_ROLES, MAX_TEAMS } from './maxima.ts';
import { givenRole } from './roles.ts';

/** The audit log names the rotator, and clients drop dot segments from URLs: no request would reach such an account. */
const RESERVED = [API_USERNAME, ROTATOR, '.', '..'];
const unreserved = () =>
  z.refine((name) => !RESERVED.includes(String(name).toLowerCase()), 'This name is reserved');

/**
 * Fields of a new account that a browser can check: all except its password and its custom properties.
 *
 * @param role rule of a role
 */
export const newFields = (role: typeof roleOrAppName = givenRole) =>
  z.extend(z.partial(filledIn()), {
    username: username(intact()).check(unlikeCredential(), unreserved()),
    emailconfirmed: z._default(z.boolean(), false),
    lockoutenabled: z._default(z.boolean(), true),
    /** The first is the default application. */
    apps: z._default(z.array(roleOrAppName()).check(z.minLength(1), z.maxLength(MAX_APPS)), ['core']),
    roles: z._default(z.array(role()).check(z.maxLength(MAX_ROLES)), []),
    kind: z.optional(z.enum(KINDS)),
    /** Username of the person who answers for a machine. */
    owner: z.optional(username()),
    /** Short names of teams; the first is the default team. */
    teams: z._default(z.array(teamShort()).check(z.maxLength(MAX_TEAMS)), []),
  });
