import type { Token } from '../../../client/index.ts';
import type { Action } from '../act.tsx';
import { type Column, show } from '../listing.tsx';
import { client } from '../session.ts';
import { Time } from '../time.tsx';

/** The columns of tokens in all listings. */
export const TOKENS: Column<Token>[] = [
  ...show<Token>({ Token: 'name', Description: 'token_description', Ends: 'token_expires_at' }),
  { label: 'Last used', cell: (token) => <Time of={isUnused(token) ? null : token.token_used_at} /> },
];

const isUnused = (token: Token) => token.token_used_at === token.token_created_at;

/** Answer to a change of a token. */
export const TokenDone = ({ name, of, what }: Record<'name' | 'of' | 'what', string>) => (
  <>
    The token <bdi>{name}</bdi> of <bdi>{of}</bdi> is {what}.
  </>
);

export const deletion = ({ username, name: token_name }: Token): Action => ({
  label: 'Delete',
  on: `${token_name} of ${username}`,
  text: 'Programs with this token are refused from their next request on. It cannot be restored.',
  isDangerous: true,
  run: (_, options) => client.token.delete({ username, token_name }, options),
  done: () => <TokenDone name={token_name} of={username} what="deleted" />,
});
