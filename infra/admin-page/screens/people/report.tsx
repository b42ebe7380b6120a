import { useState } from 'preact/hooks';
import type { Account } from '#lib/client/index';
import { bulk as t } from '#texts/bulk';
import type { Change } from '../../accounts/changes.tsx';
import type { Action } from '../../act.tsx';
import { Button } from '../../button.tsx';
import { Failed } from '../../failed.tsx';
import { roleName } from '../../memberships.tsx';
import { useLoss } from '../../notice.tsx';
import { Lines, useWork } from '../../parts.tsx';
import { line, whom } from './lines.tsx';

/** What was done to one account. */
export interface Result {
  readonly account: Account;
  readonly outcome: keyof typeof t.outcomes;
  readonly error?: unknown;
  /** What takes its change back. */
  readonly undo?: ReturnType<NonNullable<Change['undo']>> | undefined;
}

/** Options of the requests of one operation: their audit entries name it. */
export const batchOf = ({ length: size }: readonly unknown[]) => ({
  batch: { id: crypto.randomUUID(), size },
});

interface ReportProps extends Pick<Action, 'after'> {
  readonly change: Change;
  readonly role: string;
  readonly results: readonly Result[];
}

/** What was done, in one sentence, and for each account; a button takes back what was changed. */
export function Report({ change, role, results, after }: ReportProps) {
  const [shown, setShown] = useState(results);
  const [onEach, progress] = useWork();
  const {
    changed = [],
    same = [],
    undone = [],
    failed = [],
  } = Object.groupBy(shown, ({ outcome }) => outcome);
  const [undoable, lost] = [shown.filter(({ undo }) => undo), failed.filter(({ undo }) => !undo)];
  const undoAll = async () => {
    if (progress) return;
    const options = batchOf(undoable);
    setShown(
      await onEach(shown, async (result, _isStopped, send): Promise<Result> => {
        const { account, undo } = result;
        if (!undo) return result;
        return send(() => undo.run(options)).then(
          (answer) => ({ account, outcome: answer.changed ? 'undone' : 'kept' }),
          (error) => ({ ...result, outcome: 'failed', error }),
        );
      }),
    );
    after?.();
  };
  useLoss(progress ? t.undoing : '');
  const did =
    changed.length > 0 &&
    change.did(whom(changed.map(({ account }) => account)), changed.length, <bdi>{roleName(role)}</bdi>);
  const others = same.length > 0 ? change.had(same.length) : '';
  return (
    <>
      {(did || others) && <p>{t.report(did || t.nothing, others)}</p>}
      {undone.length > 0 && <p>{t.undone(undone.length)}</p>}
      {failed.length > lost.length && <p>{t.notUndone(failed.length - lost.length)}</p>}
      {lost.length > 0 && <p>{t.failed(lost.length)}</p>}
      <Lines label={t.done}>
        {[...failed, ...shown.filter(({ outcome }) => outcome !== 'failed')].map(
          ({ account, outcome, error }) =>
            line(account, error ? <Failed error={error} /> : t.outcomes[outcome]),
        )}
      </Lines>
      {progress}
      {undoable.length > 0 && (
        <>
          <Button aria-disabled={progress !== undefined} onClick={undoAll}>
            {t.undo(undoable.length)}
          </Button>
          <p class="faint">{t.later}</p>
        </>
      )}
    </>
  );
}
