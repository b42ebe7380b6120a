import { imports as t } from '#texts/imports';
import { locale } from '#texts/locale';
import { Button } from '../../button.tsx';
import { Failed } from '../../failed.tsx';
import { isRunning, progressOf, type Run, resume, stop } from '../../import/run.ts';
import { PageTitle } from '../../title.tsx';
import { Report } from './report.tsx';

const TITLES = {
  running: t.running,
  stopping: t.running,
  stopped: t.stoppedTitle,
  done: t.done,
};

/** With seconds: most waits are short. */
const clock = new Intl.DateTimeFormat(locale.dates, { timeStyle: 'medium' });

/** How far an import is, and its end or its resumption. */
function Ahead({ run }: { readonly run: Run }) {
  const { state, waiting, right, results, error } = run;
  if (state === 'done') return null;
  return (
    <section class="card">
      <label class="progress">
        <strong>{t.progress(progressOf(run))}</strong>
        <progress max={right.length} value={results.size} />
      </label>
      <p role="status">
        {waiting && t.busy(clock.format(waiting))}
        {state === 'stopping' && t.stopping}
      </p>
      {error !== undefined && <Failed error={error} />}
      {isRunning(run) ? <p class="faint">{t.keepOpen}</p> : <p>{t.resumeText}</p>}
      <div class="row">
        {isRunning(run) ? (
          <Button aria-disabled={state === 'stopping'} onClick={stop}>
            {t.stop}
          </Button>
        ) : (
          <Button class="primary" onClick={resume}>
            {t.resume}
          </Button>
        )}
      </div>
    </section>
  );
}

/** An import from its start to its report. */
export function Progress({ run }: { readonly run: Run }) {
  const title = TITLES[run.state];
  return (
    <>
      {/* With the key, its heading gets the focus at each turn: that is also what a screen reader announces. */}
      <PageTitle key={title} title={title} note={run.name} />
      <Ahead run={run} />
      {!isRunning(run) && <Report run={run} />}
    </>
  );
}
