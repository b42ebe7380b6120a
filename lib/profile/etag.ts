import { createHash } from 'node:crypto';

/** 128 bits: enough that no two states of a profile are taken for each other. */
const digest = (data: unknown) =>
  createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 22);

/**
 * The entity tag of a profile, or of its parts (RFC 9110 section 8.8.3). What comes first stands for the user, which is all
 * that an update changes; what comes after the dot for the other parts that were asked for.
 */
export const etagOf = ({ user, ...others }: Readonly<Record<string, unknown>>): string =>
  `"${digest(user)}${Object.keys(others).length > 0 ? `.${digest(others)}` : ''}"`;

const tagsIn = (header: string) => header.match(/(W\/)?"[^"]*"/g) ?? [];
const isAny = (header: string) => header.trim() === '*';

/** Whether a client that sends `If-None-Match` has the profile as it is; a weak tag counts as well. */
export const hasCurrent = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (isAny(ifNoneMatch) || tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag));

/** Whether `If-Match` names the user as it is, with whatever other parts it was read; a weak tag does not count. */
export const namesUser = (ifMatch: string, user: unknown): boolean =>
  isAny(ifMatch) ||
  tagsIn(ifMatch).some((tag) => tag.split(/[".]/)[1] === digest(user) && tag.startsWith('"'));
