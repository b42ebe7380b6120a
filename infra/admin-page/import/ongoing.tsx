import { ongoing as t } from '#texts/ongoing';
import { hrefTo, useWarning } from '../place.ts';
import type { Said } from '../said.ts';
import { hasCodes, importing, isRunning, progressOf, type Run } from './run.ts';

const SCREEN = 'import';

function textOf(run: Run, name: Said): Said {
  if (isRunning(run)) return t.goesOn(name);
  if (run.state === 'stopped') return t.stopped(name, progressOf(run));
  return hasCodes(run) && !run.isSaved ? t.codesKept(name) : t.finished(name);
}

/** The import on all other screens, which it outlasts; the browser prompts before the page loses it or its codes. */
export function Ongoing({ screen }: { readonly screen: string }) {
  const run = importing.value;
  useWarning(run !== undefined && (isRunning(run) || (hasCodes(run) && !run.isSaved)));
  if (!run || screen === SCREEN) return null;
  return (
    <div class="ongoing row card">
      <span role="status">{textOf(run, <bdi>{run.name}</bdi>)}</span>
      {isRunning(run) && <span class="faint">{progressOf(run)}</span>}
      <a class="button" href={hrefTo(SCREEN)}>
        {t.show}
      </a>
    </div>
  );
}
