import * as z from 'zod/mini';
import { isJsonObject, plainly } from '../exact-json.ts';
import { membershipSchema } from '../team/schema.ts';
import { filledIn } from './fields.ts';
import { username } from './names.ts';

const MAX_PROPERTIES_BYTES = 64 * 1024;

/** Custom properties: free-form JSON, kept as text, whatever numbers and nesting it has. */
export const properties = () =>
  z.pipe(
    z.transform(plainly),
    z.record(z.string(), z.unknown()).check(
      z.refine(({ root }) => root === undefined || isJsonObject(root), {
        error: 'Must be an object',
        path: ['root'],
      }),
      z.refine(
        (value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_PROPERTIES_BYTES,
        'Must be at most 64 KiB',
      ),
    ),
  );

/** The parts of a profile. */
export const PROFILE_PARTS = ['instance', 'user', 'teams', 'roles', 'apps'] as const;
export type ProfilePart = (typeof PROFILE_PARTS)[number];

/** The parts that a `pscope` names. */
export const partsNamed = (pscope: string) => pscope.split(',').map((part) => part.trim()) as ProfilePart[];

/** Names of parts, separated by commas. */
export const pscope = () =>
  z
    .string()
    .check(
      z.refine(
        (text) => partsNamed(text).every((part) => PROFILE_PARTS.includes(part)),
        `Must be of ${PROFILE_PARTS.join(', ')}`,
      ),
    );

/** What a profile update may change; `username` names the account, the caller's own unless told. */
export const profileUpdateSchema = () =>
  z.extend(z.partial(filledIn()), {
    username: z.optional(username()),
    team_id: z.optional(z.guid('Must be a UUID')),
    user_properties: z.optional(properties()),
  });

/** The fields of the primary user object that stand in the account item as they are. */
export const userFields = () =>
  z.strictObject({
    username: z.string(),
    emailconfirmed: z.boolean(),
    ...filledIn().shape,
    team_id: z.string(),
    team_name: z.string(),
    user_app_name: z.string(),
    user_home: z.nullable(z.string()),
  });

/** The primary user object. */
export const userSchema = () =>
  z.extend(userFields(), { user_properties: z.looseObject({ root: z.looseObject({}) }) });

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
    teams: z.optional(z.array(membershipSchema())),
    roles: z.optional(z.array(z.string())),
    apps: z.optional(z.array(z.string())),
  });
