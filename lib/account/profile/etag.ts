import { digestOf, namesAny } from '../../contract/entity-tag.ts';

const digest = (data: unknown) => digestOf(JSON.stringify(data));

/**
 * The entity tag of a profile or of its parts (RFC 9110 section 8.8.3). Its first half is a digest of the user, the
 * only part that an update changes. Its second half, after the dot, is a digest of the other requested parts.
 */
export const etagOf = ({ user, ...others }: Readonly<Record<string, unknown>>): string =>
  `"${digest(user)}${Object.keys(others).length > 0 ? `.${digest(others)}` : ''}"`;

const tagsIn = (header: string) => header.match(/(W\/)?"[^"]*"/g) ?? [];

/** Whether `If-Match` names the current user, with any other parts; weak tags do not count. */
export function namesUser(ifMatch: string, user: unknown): boolean {
  if (namesAny(ifMatch)) return true;
  const own = digest(user);
  return tagsIn(ifMatch).some((tag) => tag.split(/[".]/)[1] === own && tag.startsWith('"'));
}
