import { hrefTo, useWarning } from '../place.ts';
import { hasCodes, importing, isRunning, progressOf, type Run } from './run.ts';

const SCREEN = 'import';

function textOf(run: Run): string {
  if (isRunning(run)) return 'goes on while this tab stays open.';
  if (run.state === 'stopped') return `has stopped at ${progressOf(run)}.`;
  return hasCodes(run) && !run.isSaved
    ? 'is finished. Its one-time codes are kept until you close it.'
    : 'is finished.';
}

/** The import on all other screens, which it outlasts; the browser prompts before the page loses it or its codes. */
export function Ongoing({ screen }: { readonly screen: string }) {
  const run = importing.value;
  useWarning(run !== undefined && (isRunning(run) || (hasCodes(run) && !run.isSaved)));
  if (!run || screen === SCREEN) return null;
  return (
    <div class="ongoing row card">
      <span role="status">
        The import of <bdi>{run.name}</bdi> {textOf(run)}
      </span>
      {isRunning(run) && <span class="faint">{progressOf(run)}</span>}
      <a class="button" href={hrefTo(SCREEN)}>
        Show
      </a>
    </div>
  );
}
