import { useState } from 'preact/hooks';
import { CODE_HOURS } from '#lib/account/maxima';
import type { Account } from '#lib/client/index';
import { bulk } from '#texts/bulk';
import { invitation } from '#texts/invitation';
import { nameOf } from '../../accounts/person.tsx';
import { stateOf } from '../../accounts/state.ts';
import { Codes } from '../../codes.tsx';
import { Failed } from '../../failed.tsx';
import { useLoss } from '../../notice.tsx';
import { Hours, Lines } from '../../parts.tsx';
import { When } from '../../time.tsx';
import { line } from './lines.tsx';

const t = bulk.codes;

/** What became of the code of a person. */
export interface Coded {
  readonly account: Account;
  readonly code?: string;
  readonly ends?: string;
  readonly error?: unknown;
}

/** Reason why a person gets no new code: only those get one who have no password, or whose code has ended. */
export function reasonAgainst(account: Account): string | undefined {
  const state = stateOf(account);
  if (state === 'cancelled') return t.isCancelled;
  if (state === 'locked') return t.isLocked;
  const hasEnded = account.code_expires_at !== null && Date.parse(account.code_expires_at) <= Date.now();
  return account.password_set && !hasEnded ? t.hasPassword : undefined;
}

/** Who gets a new code, and why others do not. */
export function CodesPreview({ chosen }: { readonly chosen: readonly Account[] }) {
  const due = chosen.filter((account) => !reasonAgainst(account)).length;
  return (
    <>
      <Hours defaultValue={`${CODE_HOURS}`} required />
      {due < chosen.length && <p role="status">{due > 0 ? bulk.due(due, chosen.length) : t.nobody}</p>}
      <Lines label={bulk.willChange}>
        {chosen.map((account) => line(account, reasonAgainst(account) ?? t.will))}
      </Lines>
    </>
  );
}

interface CodesReportProps {
  readonly results: readonly Coded[];
  readonly skipped: readonly Account[];
}

/** The new codes with what to do with them, and who got none. */
export function CodesReport({ results, skipped }: CodesReportProps) {
  const [isKept, setKept] = useState(false);
  const codes = results.flatMap(({ account, code, ends }) =>
    code && ends
      ? [{ account, name: nameOf(account) || account.username, username: account.username, code, ends }]
      : [],
  );
  const failed = results.filter(({ error }) => error);
  const without = skipped.length + failed.length;
  useLoss(codes.length > 0 && !isKept ? invitation.loss : '');
  return (
    <>
      <p>{t.did(codes.length)}</p>
      {codes.length > 0 && (
        <>
          <Codes of={codes} onKept={() => setKept(true)} />
          <Lines label={t.list}>
            {codes.map(({ account, code, ends }) =>
              line(
                account,
                <div>
                  <code>{code}</code> {t.until(<When of={ends} />)}
                </div>,
              ),
            )}
          </Lines>
        </>
      )}
      {without > 0 && (
        <>
          <p>{t.skipped(without)}</p>
          <Lines label={t.without}>
            {failed.map(({ account, error }) => line(account, <Failed error={error} />))}
            {skipped.map((account) => line(account, reasonAgainst(account)))}
          </Lines>
        </>
      )}
    </>
  );
}
