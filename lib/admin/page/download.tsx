import { useState } from 'preact/hooks';
import type { Page } from '../../client/index.ts';
import { csvOf, save } from './csv.ts';
import { Failed } from './notice.tsx';
import type { Reader } from './query.ts';

/** Items of a request: about half a megabyte of JSON. */
const ITEMS = 1000;

interface DownloadProps {
  /** Name of the file. */
  readonly name: string;
  readonly read: Reader<Page<object>>;
  /** How many items there are, if known. */
  readonly total?: number | undefined;
}

/** Saves a whole listing as CSV. */
export function Download({ name, read, total }: DownloadProps) {
  const [lines, setLines] = useState(0);
  const [ending, setEnding] = useState<AbortController>();
  const [error, setError] = useState<unknown>();
  const start = async () => {
    const controller = new AbortController();
    setEnding(controller);
    setError(undefined);
    setLines(0);
    try {
      save(await csvOf(read({ limit: ITEMS }, controller).pages(), setLines), name);
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure);
    }
    setEnding(undefined);
  };
  return (
    <div class="row end">
      {ending && (
        <>
          <progress aria-label="Download" max={total} value={total && lines} />
          <span>{lines.toLocaleString('en')} lines</span>
        </>
      )}
      <button type="button" onClick={({ detail }) => detail > 1 || (ending ? ending.abort() : start())}>
        {ending ? 'Stop the download' : 'Download CSV'}
      </button>
      {error !== undefined && <Failed error={error} />}
    </div>
  );
}
