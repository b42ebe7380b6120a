import { digestOf, namesAny } from '../../contract/entity-tag.ts';

const digest = (data: unknown) => digestOf(JSON.stringify(data));

/**
 * The entity tag of a profile or of its parts (RFC 9110 section 8.8.3). Its first half is a digest of the user, the
 * only part that an update changes. Its second half, after the dot, is a digest of the other requested parts, and of the
 * one-time code and the lockout that administrators see.
 */
export function etagOf({ user: shown, ...parts }: Profile): string {
  const { code_expires_at, code_created_at, code_created_by, login_block, ...user } = shown;
  const code = code_created_at === undefined ? {} : { code_expires_at, code_created_at, code_created_by };
  const others = { ...parts, ...code, ...(login_block !== undefined && { login_block }) };
  return `"${digest(user)}${Object.keys(others).length > 0 ? `.${digest(others)}` : ''}"`;
}

interface Profile {
  readonly user: Readonly<Record<string, unknown>>;
  readonly [part: string]: unknown;
}

const tagsIn = (header: string) => header.match(/(W\/)?"[^"]*"/g) ?? [];

/** Whether `If-Match` names the current user, with any other parts; weak tags do not count. */
export function namesUser(ifMatch: string, user: unknown): boolean {
  if (namesAny(ifMatch)) return true;
  const own = digest(user);
  return tagsIn(ifMatch).some((tag) => tag.split(/[".]/)[1] === own && tag.startsWith('"'));
}
