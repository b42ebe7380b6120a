import type { AuditEntry } from '#lib/audit/entry';
import { foldCase } from '#lib/table/keys';

/** What is asked for of the audit log: entries that are of all that is given. */
export interface AuditFilter {
  /** An account and its tokens, or a token as `name@username`. */
  readonly target?: string | undefined;
  /** An account; `operator` is every operator. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

/** Whether an entry is one that is asked for. */
export function matches(entry: AuditEntry, { target, actor, action, since }: AuditFilter): boolean {
  return (
    (target === undefined || isTarget(entry, foldCase(target))) &&
    (actor === undefined || isActor(entry, foldCase(actor))) &&
    (action === undefined || entry.action === action) &&
    (since === undefined || Date.parse(entry.time) >= since)
  );
}

/** An email address as a username has a form that a token can have, too. */
const isTarget = ({ target, action }: AuditEntry, asked: string) =>
  target === asked || (/\btoken\b/.test(action) && target?.endsWith(`@${asked}`) === true);

const isActor = ({ actor }: AuditEntry, asked: string) =>
  actor === asked || actor?.startsWith(`${asked}:`) === true;

/**
 * A pattern of CloudWatch Logs that every entry has which is asked for; others may have it too. Undefined where all
 * times and entries are asked for.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function patternOf({ target, actor, action }: AuditFilter): string | undefined {
  const either = (field: string, one: string, other: string) =>
    `($.${field} = "${one}" || $.${field} = "${other}")`;
  const terms = [
    target === undefined ? [] : either('target', foldCase(target), `*@${foldCase(target)}`),
    actor === undefined ? [] : either('actor', foldCase(actor), `${foldCase(actor)}:*`),
    action === undefined ? [] : `($.action = "${action}")`,
  ].flat();
  return terms.length === 0 ? undefined : `{ ${terms.join(' && ')} }`;
}
