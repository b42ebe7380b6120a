import { useLayoutEffect, useState } from 'preact/hooks';
import type { Account, Page } from '#lib/client/index';
import { people as t } from '#texts/people';
import { Button } from '../../button.tsx';
import { Failed } from '../../failed.tsx';
import { usePlace } from '../../place.ts';
import { firstOf, type Paged } from '../../query.ts';
import { choose, MAX_CHOSEN } from './choice.tsx';

/** Accounts of a request: about half a megabyte of JSON. */
const ITEMS = 1000;

interface SelectAllProps {
  readonly list: Paged<Page<Account>>;
  readonly chosen: readonly Account[];
}

interface Read {
  readonly number: number;
  /** Whether more match. */
  readonly isCut: boolean;
}

/** A button that chooses all accounts of a list on all of its pages. */
export function SelectAll({ list: { at, data, readAll }, chosen }: SelectAllProps) {
  const { state } = usePlace();
  const filter = JSON.stringify({ ...state, [at]: undefined, [firstOf(at)]: undefined });
  const [number, setNumber] = useState<number>();
  const [reading, setReading] = useState<AbortController>();
  const [read, setRead] = useState<Read>();
  const [error, setError] = useState<unknown>();
  useLayoutEffect(() => () => reading?.abort(), [reading, filter]);
  useLayoutEffect(() => {
    setRead(undefined);
    setError(undefined);
  }, [filter]);
  const select = async () => {
    const ending = new AbortController();
    setReading(ending);
    setNumber(0);
    setError(undefined);
    const found: Account[] = [];
    let isCut = false;
    try {
      for await (const page of readAll({ limit: ITEMS }, { signal: ending.signal }).pages()) {
        found.push(...page.items);
        setNumber(found.length);
        isCut = found.length > MAX_CHOSEN || (found.length === MAX_CHOSEN && Boolean(page.next_cursor));
        if (found.length >= MAX_CHOSEN) break;
      }
      // The filter may have changed with the last answer.
      ending.signal.throwIfAborted();
      choose(found);
      setRead({ number: Math.min(found.length, MAX_CHOSEN), isCut });
    } catch (failure) {
      if (!ending.signal.aborted) setError(failure);
    }
    setReading((last) => (last === ending ? undefined : last));
  };
  if (!state[at] && !data?.next_cursor) return null;
  if (reading)
    return (
      <span class="row">
        <span role="status">{t.reading(number ?? 0)}</span>
        <Button onClick={() => reading.abort()}>{t.stop}</Button>
      </span>
    );
  if (read && chosen.length >= read.number) return read.isCut ? <span>{t.more(read.number)}</span> : null;
  const isFiltered = filter !== '{}';
  const label =
    read && !read.isCut ? t.selectNumber(read.number) : isFiltered ? t.selectMatching : t.selectEveryone;
  return (
    <>
      <Button class="quiet" onClick={select}>
        {label}
      </Button>
      {error !== undefined && <Failed error={error} />}
    </>
  );
}
