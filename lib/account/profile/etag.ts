import { digestOf, namesAny, namesWeakly } from '../../contract/entity-tag.ts';

const digest = (data: unknown) => digestOf(JSON.stringify(data));

/**
 * The entity tag of a profile, or of its parts (RFC 9110 section 8.8.3). What comes first stands for the user, which is all
 * that an update changes; what comes after the dot for the other parts that were asked for.
 */
export const etagOf = ({ user, ...others }: Readonly<Record<string, unknown>>): string =>
  `"${digest(user)}${Object.keys(others).length > 0 ? `.${digest(others)}` : ''}"`;

const tagsIn = (header: string) => header.match(/(W\/)?"[^"]*"/g) ?? [];

/** Whether a client that sends `If-None-Match` has the profile as it is; a weak tag counts as well. */
export const hasCurrent = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && namesWeakly(ifNoneMatch, etag);

/** Whether `If-Match` names the user as it is, with whatever other parts it was read; a weak tag does not count. */
export const namesUser = (ifMatch: string, user: unknown): boolean =>
  namesAny(ifMatch) ||
  tagsIn(ifMatch).some((tag) => tag.split(/[".]/)[1] === digest(user) && tag.startsWith('"'));
