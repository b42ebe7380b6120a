import * as z from 'zod/mini';
import { instanceTexts } from '../../instance/info.ts';
import { filledIn, shownFields, shownTexts } from '../../item/fields.ts';
import { BLOCK_CAUSES } from '../../item/login-attempts.ts';
import { membershipSchema, membershipTexts } from '../../item/team.ts';
import type { SchemaTexts } from '../../texts.ts';
import { username } from '../identifiers.ts';
import { propertiesSchema } from '../properties.ts';

export const PROFILE_PARTS = ['instance', 'user', 'teams', 'roles', 'apps'] as const;
export type ProfilePart = (typeof PROFILE_PARTS)[number];

const partsNamed = (pscope: string) => pscope.split(',').map((part) => part.trim()) as ProfilePart[];

const namesParts = (pscope: string) => partsNamed(pscope).every((part) => PROFILE_PARTS.includes(part));

/** Names of parts, separated by commas. */
export const pscope = () =>
  z.pipe(
    z
      .string()
      .check(z.refine(namesParts, `Must be some of ${PROFILE_PARTS.join(', ')}, separated by commas`)),
    z.transform(partsNamed),
  );

/** Fields that a profile update may change; `username` names the account, by default the caller's own. */
export const profileUpdateSchema = () =>
  z.extend(z.partial(filledIn()), {
    username: z.optional(username()),
    team_id: z.optional(z.guid('Must be a UUID')),
    user_properties: z.optional(propertiesSchema()),
  });

/** The primary user object. */
export const userSchema = () =>
  z.extend(shownFields(), {
    isactive: z.boolean(),
    islocked: z.boolean(),
    user_properties: z.looseObject({ root: z.looseObject({}) }),
  });

/** Times and author of the one-time code of an account, which only administrators see; null without one that works. */
const shownCode = () => {
  const shown = () => z.optional(z.nullable(z.string()));
  return z.strictObject({ code_expires_at: shown(), code_created_at: shown(), code_created_by: shown() });
};

/** A temporary lockout by failed logins, which only administrators see, of others. */
const loginBlockSchema = () =>
  z.strictObject({ cause: z.enum(BLOCK_CAUSES), since: z.string(), until: z.string() });

const loginBlockTexts = {
  name: 'LoginBlock',
  schema: loginBlockSchema,
  fields: {
    cause:
      '`attempts`: the account is locked out for all addresses from which it has not logged in recently; `attempts_from_address`: for one address',
    since: 'Time of the failure that began the lockout (UTC, ends in `Z`)',
    until: 'End of the lockout (UTC, ends in `Z`)',
  },
} as const satisfies SchemaTexts;

/** The user in a profile that was read. */
export const profileUserSchema = () =>
  z.extend(userSchema(), {
    ...shownCode().shape,
    login_block: z.optional(z.nullable(loginBlockSchema())),
  });

export const userTexts = {
  name: 'User',
  schema: userSchema,
  parts: [shownTexts],
  fields: {
    isactive: 'Whether the account is active; false after a cancellation',
    islocked: 'Whether the account is locked at the moment, by an administrator or after failed logins',
    user_properties: 'Custom properties: free JSON that always has an object `root`',
    root: 'Free key/value pairs',
  },
} as const satisfies SchemaTexts;

export const profileUserTexts = {
  name: 'ProfileUser',
  schema: profileUserSchema,
  parts: [userTexts, loginBlockTexts],
  fields: {
    code_expires_at:
      'Expiry of the one-time code that works now (UTC, ends in `Z`), for administrators who select all parts or `user`; null without one, absent for others',
    code_created_at: 'Creation of this code (UTC, ends in `Z`); null or absent like `code_expires_at`',
    code_created_by:
      'Account that created this code, or an operator such as `operator:ada`; null or absent like `code_expires_at`',
    login_block:
      'Temporary lockout by failed logins, which refuses even the right password now, for administrators who read another account and select all parts or `user`; null without one, absent for others. Not shown: limits and blocks of an address across all accounts, wrong one-time codes, and what refuses a cancelled account or one that an administrator has locked',
  },
} as const satisfies SchemaTexts;

/** The whole profile; `pscope` selects from it. */
export const profileSchema = () =>
  z.strictObject({
    instance: z.optional(
      z.strictObject({
        'kv.v.api.version': z.string(),
        'kv.v.api.url': z.string(),
        'kv.v.owner.name': z.string(),
      }),
    ),
    user: profileUserSchema(),
    teams: z.optional(z.array(membershipSchema())),
    roles: z.optional(z.array(z.string())),
    apps: z.optional(z.array(z.string())),
  });

export const profileTexts = {
  name: 'Profile',
  schema: profileSchema,
  parts: [profileUserTexts, membershipTexts, instanceTexts],
  fields: {
    instance: 'Information about the instance',
    user: 'User of the profile',
    teams: 'Teams of the account',
    roles: 'Roles of the account',
    apps: 'Applications that the account may use',
  },
} as const satisfies SchemaTexts;
