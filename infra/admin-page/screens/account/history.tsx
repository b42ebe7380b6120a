import { useEffect } from 'preact/hooks';
import { account as t } from '#texts/account';
import { Entries, read } from '../../accounts/entries.tsx';
import type { Read } from '../../accounts/read.ts';
import { useOutcome } from '../../notice.tsx';
import { Section } from '../../parts.tsx';
import { useList } from '../../query.ts';

/** When the history is read again after an action, in seconds: a new entry takes up to a minute. */
const AGAIN = [1, 3, 7, 15, 31, 63];

/** The history of an account, until it has what was just done. */
export function History({ item }: Read) {
  const { done } = useOutcome();
  const list = useList((page, options) => read({ target: item.username, ...page }, options), {
    inputs: [item],
    at: 'history',
  });
  const isNew = done?.requestId && !list.data?.items.some(({ requestId }) => requestId === done.requestId);
  useEffect(() => {
    const timers = isNew ? AGAIN.map((seconds) => setTimeout(list.reload, seconds * 1000)) : [];
    return () => timers.map(clearTimeout);
  }, [done, isNew]);
  return (
    <Section title={t.history}>
      {isNew && <p role="status">{t.historyNew}</p>}
      <Entries list={list} caption={t.history} heading="h3" empty={t.historyEmpty} />
    </Section>
  );
}
