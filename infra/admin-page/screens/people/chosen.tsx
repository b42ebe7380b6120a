import { people as t } from '#texts/people';
import type { Action } from '../../act.tsx';
import { Button } from '../../button.tsx';
import { lazy } from '../../lazy.tsx';
import { MAX_CHOSEN, setChosen, type useChoice } from './choice.tsx';
import { SelectAll } from './select-all.tsx';

const BulkActs = lazy(async () => (await import('../others.ts')).BulkActs);

type ChosenProps = Omit<ReturnType<typeof useChoice>, 'boxes'> &
  Pick<Action, 'after'> &
  Pick<Parameters<typeof SelectAll>[0], 'list'>;

/** How many people are chosen, and what can be done with them. */
export function Chosen({ chosen, elsewhere, list, after }: ChosenProps) {
  const isSome = chosen.length > 0;
  return (
    <section class={isSome ? 'bulk row card' : 'row'} aria-label={isSome ? t.selected : undefined}>
      {isSome && (
        <strong role="status">
          {t.number(chosen.length)}
          {elsewhere > 0 && (elsewhere === chosen.length ? t.allElsewhere : t.elsewhere(elsewhere))}
          {chosen.length >= MAX_CHOSEN && t.most}
        </strong>
      )}
      {/* In one place, since it remembers what it has read. */}
      <SelectAll key="all" list={list} chosen={chosen} />
      {isSome && (
        <Button class="quiet" onClick={() => setChosen([])}>
          {t.clear}
        </Button>
      )}
      {isSome && <BulkActs chosen={chosen} after={after} />}
    </section>
  );
}
