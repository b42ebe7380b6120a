import * as z from 'zod/mini';
import { instant } from '../contract/paging.ts';
import { FOREVER } from '../item/account.ts';
import { plain } from '../item/fields.ts';
import { withoutCredentials } from '../log/redact.ts';
import { isoOf, withOffset } from '../time.ts';
import { MAX_REASON } from './maxima.ts';

const LAST = Date.parse(FOREVER);

/** A reason without the credentials that it quotes: a lock must not fail because someone has pasted the leaked one. */
const reason = () => z.string().check(z.overwrite(withoutCredentials), z.maxLength(MAX_REASON), plain());

/** Terms of a lock by an administrator in a request. */
export const lockTerms = () =>
  z.strictObject({
    reason: z.optional(reason()),
    until: z.optional(instant().check(z.lte(LAST, `Must not be after ${FOREVER}`))),
  });

/** Terms of a lock: by default without a reason, and until an administrator ends it. */
export type LockTerms = z.output<ReturnType<typeof lockTerms>>;

/** The attributes of an account that is locked on these terms. */
export const lockedOn = ({ reason = '', until = LAST }: LockTerms) => ({
  lockoutend: until < LAST ? withOffset(until) : FOREVER,
  lock_reason: reason,
});

/** Details for the audit log. */
export const auditedTerms = ({ reason, until }: LockTerms) => ({
  until: until === undefined ? null : isoOf(until),
  reason: reason || null,
});
