import * as z from 'zod/mini';
import { username } from './names.ts';

const MAX_PROPERTIES_BYTES = 64 * 1024;

const text = (max: number) => z.string().check(z.maxLength(max, `Must be at most ${max} characters`));

export const phonenumber = () => text(64);
export const personName = () => text(128);
export const short = () => text(8);
export const color = () => z.string().check(z.regex(/^#[0-9A-Fa-f]{6}$/, 'Must be a colour such as #1A2B3C'));
export const currency = () => z.string().check(z.regex(/^[A-Z]{3}$/, 'Must be an ISO 4217 code such as EUR'));

/** Free-form JSON, kept as text: whatever numbers and nesting it has. */
export const properties = () =>
  z.record(z.string(), z.unknown()).check(
    z.refine(({ root }) => root === undefined || isObject(root), {
      error: 'Must be an object',
      path: ['root'],
    }),
    z.refine(
      (value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_PROPERTIES_BYTES,
      'Must be at most 64 KiB',
    ),
  );

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields that a profile update may change; `username` names the account, the caller's own unless told. */
export const profileUpdateSchema = () =>
  z.strictObject({
    username: z.optional(username()),
    phonenumber: z.optional(phonenumber()),
    team_id: z.optional(z.guid('Must be a UUID')),
    user_currency: z.optional(currency()),
    user_first_name: z.optional(personName()),
    user_last_name: z.optional(personName()),
    user_color: z.optional(color()),
    user_short: z.optional(short()),
    user_properties: z.optional(properties()),
  });

export const userSchema = () =>
  z.strictObject({
    username: z.string(),
    emailconfirmed: z.boolean(),
    phonenumber: z.string(),
    team_id: z.string(),
    team_name: z.string(),
    user_app_name: z.string(),
    user_first_name: z.string(),
    user_last_name: z.string(),
    user_home: z.nullable(z.string()),
    user_color: z.string(),
    user_short: z.string(),
    user_currency: z.string(),
    user_properties: z.looseObject({ root: z.looseObject({}) }),
  });

const teamSchema = () =>
  z.strictObject({
    team_id: z.uuid(),
    team_short: z.string(),
    team_name: z.string(),
    teamuser_lvl: z.nullable(z.string()),
    team_type: z.string(),
  });

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
    user: userSchema(),
    teams: z.optional(z.array(teamSchema())),
    roles: z.optional(z.array(z.string())),
    apps: z.optional(z.array(z.string())),
  });
