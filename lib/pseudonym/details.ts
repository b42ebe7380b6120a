import { CAUSES } from '../failure/cause.ts';
import type { AuditDetails } from '../item/audit-entry.ts';
import { isIdLike } from '../item/erasure.ts';

type Form = (value: AuditDetails[string]) => boolean;

const count: Form = (value) => typeof value === 'number';
const flag: Form = (value) => typeof value === 'boolean';
const time: Form = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value);
const id: Form = (value) => typeof value === 'string' && isIdLike(value);
const one =
  (...words: readonly string[]): Form =>
  (value) =>
    words.includes(`${value}`);
/** The form of the names of roles, which have no spaces. */
const roles: Form = (value) => Array.isArray(value) && value.every((each) => /^[\w.-]{1,64}$/.test(each));

/**
 * The details that remain in an entry about an erased person, and their forms: none has room for a name or free text. An
 * operator may write any value into a line of its own, so the form is checked, too.
 */
const REMAINING: ReadonlyMap<string, Form> = new Map(
  Object.entries({
    batch: id,
    batch_size: count,
    cause: one(...CAUSES),
    count,
    end_passkeys: flag,
    erased_at: time,
    expires_at: time,
    forced: one('days', 'state'),
    invite_hours: count,
    passkeys_ended: count,
    proof: one('code', 'password'),
    revoked: count,
    roles_added: roles,
    roles_removed: roles,
    secret: one('former'),
    tokens_revived: count,
    tokens_revoked: count,
    trusts_ended: count,
    trusts_revived: count,
    until: time,
    userid: id,
  }),
);

/** Whether a detail of an entry about an erased person remains. Unknown ones go. */
export const remains = (name: string, value: AuditDetails[string]): boolean =>
  REMAINING.get(name)?.(value) ?? false;
