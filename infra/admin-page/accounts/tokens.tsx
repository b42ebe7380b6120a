import type { Token } from '#lib/client/index';
import { MAX_OVERLAP } from '#lib/token/maxima';
import type { Action } from '../act.tsx';
import { Field } from '../form.tsx';
import { type Column, show } from '../listing.tsx';
import { Once } from '../parts.tsx';
import { client } from '../session.ts';
import { Time } from '../time.tsx';
import { isNeverUsed } from './concerns.ts';

/** The columns of tokens in all listings. */
export const TOKENS: Column<Token>[] = [
  ...show<Token>({ Token: 'name', Description: 'token_description', Ends: 'token_expires_at' }),
  {
    label: 'Last used',
    cell: (token) =>
      isNeverUsed(token) ? (
        <span class="faint">
          never, made <Time of={token.token_created_at} />
        </span>
      ) : (
        <Time of={token.token_used_at} />
      ),
  },
];

/** Answer to a change of a token. */
export const TokenDone = ({ name, of, what }: Record<'name' | 'of' | 'what', string>) => (
  <>
    The token <bdi>{name}</bdi> of <bdi>{of}</bdi> is {what}.
  </>
);

/** Minutes to replace the secret in a program, before the old one ends. */
const OVERLAP = 60;

export const rotation = ({ username, name: token_name }: Token): Action => ({
  label: 'Rotate',
  on: `${token_name} of ${username}`,
  text: 'The token gets a new secret, which the program needs before the old one ends. Sessions of the old secret end with it.',
  children: (
    <Field
      label="Minutes until the old secret ends"
      name="overlap_minutes"
      type="number"
      min={0}
      max={MAX_OVERLAP}
      defaultValue={`${OVERLAP}`}
      required
      hint={`From 0 to ${MAX_OVERLAP}. 0 ends it at once, such as after a theft.`}
    />
  ),
  run: async ({ overlap_minutes }, options) => {
    const input = { username, token_name, overlap_minutes: Number(overlap_minutes) };
    return <Once label="New secret" value={(await client.token.rotate(input, options)).value} />;
  },
  done: ({ overlap_minutes }) => (
    <>
      <TokenDone name={token_name} of={username} what="rotated" />
      {Number(overlap_minutes) > 0 && ` The old secret works for ${overlap_minutes} more minutes.`}
    </>
  ),
});

export const deletion = ({ username, name: token_name }: Token): Action => ({
  label: 'Delete',
  on: `${token_name} of ${username}`,
  text: 'Programs with this token are refused from their next request on. It cannot be restored.',
  isDangerous: true,
  run: (_, options) => client.token.delete({ username, token_name }, options),
  done: () => <TokenDone name={token_name} of={username} what="deleted" />,
});
