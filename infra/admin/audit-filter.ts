import type { AuditEntry } from '#lib/audit/entry';
import { foldCase } from '#lib/table/keys';

/** Conditions on entries of the audit log; an entry meets all that are given. */
export interface AuditFilter {
  /** An account and its tokens, or a token as `name@username`. */
  readonly target?: string | undefined;
  /** An account; `operator` is every operator. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

/** Whether an entry meets a filter. */
export const matches = (entry: AuditEntry, { target, actor, action, since }: AuditFilter): boolean =>
  (target === undefined || isTarget(entry, foldCase(target))) &&
  (actor === undefined || isActor(entry, foldCase(actor))) &&
  (action === undefined || entry.action === action) &&
  (since === undefined || Date.parse(entry.time) >= since);

/** An email address as a username has the form of a token. */
const isTarget = ({ target, action }: AuditEntry, name: string) =>
  target === name || (/\btoken\b/.test(action) && target?.endsWith(`@${name}`) === true);

const isActor = ({ actor }: AuditEntry, name: string) =>
  actor === name || actor?.startsWith(`${name}:`) === true;

/**
 * A pattern of CloudWatch Logs that all entries of a filter match; other entries may match it as well.
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
