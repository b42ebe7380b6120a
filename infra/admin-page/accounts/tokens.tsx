import type { Account, Token } from '#lib/client/index';
import { isPseudonym } from '#lib/item/erasure';
import { MAX_OVERLAP } from '#lib/token/maxima';
import { tokens as t } from '#texts/tokens';
import type { Action } from '../act.tsx';
import { Field } from '../form.tsx';
import { type Column, show } from '../listing.tsx';
import { Once } from '../parts.tsx';
import { client } from '../session.ts';
import { Time } from '../time.tsx';
import { isNeverUsed } from './concerns.ts';
import { NameOf } from './names.tsx';
import { nameFor } from './who.tsx';

const { columns } = t;

/** The columns of tokens in all listings. */
export const TOKENS: Column<Token>[] = [
  ...show<Token>({
    [columns.token]: 'name',
    [columns.description]: 'token_description',
    [columns.ends]: 'token_expires_at',
  }),
  {
    label: columns.lastUsed,
    cell: (token) =>
      isNeverUsed(token) ? (
        <span class="faint">{t.neverUsed(<Time of={token.token_created_at} />)}</span>
      ) : (
        <Time of={token.token_used_at} />
      ),
  },
];

/** Minutes to replace the secret in a program, before the old one ends. */
const OVERLAP = '60';

const OVERLAPS = Object.fromEntries(
  Object.entries(t.overlaps).filter(([minutes]) => Number(minutes) <= MAX_OVERLAP),
);

export function rotation({ username, name: token_name }: Token): Action {
  const names = [<bdi key="token">{token_name}</bdi>, <NameOf key="owner" username={username} />] as const;
  return {
    label: t.rotate,
    title: t.rotateAsk(...names),
    text: t.rotateText,
    children: <Field label={t.overlap} name="overlap_minutes" options={OVERLAPS} defaultValue={OVERLAP} />,
    run: async ({ overlap_minutes }, options) => {
      const input = { username, token_name, overlap_minutes: Number(overlap_minutes) };
      return <Once label={t.newSecret} value={(await client.token.rotate(input, options)).value} />;
    },
    done: ({ overlap_minutes }) => t.rotated(...names, Number(overlap_minutes)),
  };
}

export function deletion({ username, name: token_name }: Token): Action {
  const names = [<bdi key="token">{token_name}</bdi>, <NameOf key="owner" username={username} />] as const;
  return {
    label: t.delete,
    title: t.deleteAsk(...names),
    text: t.deleteText,
    isDangerous: true,
    run: (_, options) => client.token.delete({ username, token_name }, options),
    done: () => t.deleted(...names),
  };
}

/** Who did something: a person, one who was erased, or whoever ran a command of the operator. */
export const By = ({ username }: Pick<Account, 'username'>) => {
  const [, operator] = /^operator:(.*)$/.exec(username) ?? [];
  if (operator) return t.byOperator(<bdi>{operator}</bdi>);
  return isPseudonym(username) ? <span>{nameFor(username)}</span> : <NameOf username={username} />;
};
