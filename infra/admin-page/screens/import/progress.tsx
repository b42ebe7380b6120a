import { Button } from '../../button.tsx';
import { Failed } from '../../failed.tsx';
import { isRunning, progressOf, type Run, resume, stop } from '../../import/run.ts';
import { PageTitle } from '../../title.tsx';
import { Report } from './report.tsx';

const TITLES = {
  running: 'Importing people',
  stopping: 'Importing people',
  stopped: 'Import stopped',
  done: 'Import finished',
};

/** With seconds: most waits are short. */
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** How far an import is, and its end or its resumption. */
function Ahead({ run }: { readonly run: Run }) {
  const { state, waiting, right, results, error } = run;
  if (state === 'done') return null;
  return (
    <section class="card">
      <label class="progress">
        <strong>{progressOf(run)} people</strong>
        <progress max={right.length} value={results.size} />
      </label>
      <p role="status">
        {waiting && `The service is busy. The import goes on by itself at ${clock.format(waiting)}.`}
        {state === 'stopping' && 'Waiting for the answers of the rows that were sent.'}
      </p>
      {error !== undefined && <Failed error={error} />}
      {isRunning(run) ? (
        <p class="faint">
          Keep this tab open. You can use other screens in the meantime. If the tab is closed all the same,
          choose the same file again within 24 hours in this browser: no one is created twice.
        </p>
      ) : (
        <p>Resume goes on with the next row. No one is created twice.</p>
      )}
      <div class="row">
        {isRunning(run) ? (
          <Button aria-disabled={state === 'stopping'} onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button class="primary" onClick={resume}>
            Resume
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
