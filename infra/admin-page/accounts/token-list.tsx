import { namesIn } from '#lib/account/file/cells';
import type { Token } from '#lib/client/index';
import { listing } from '#lib/client/listing';
import type { Action } from '../act.tsx';
import { Field, type Fields } from '../form.tsx';
import { ListPart } from '../listing.tsx';
import { roleChoices } from '../memberships.tsx';
import { Once } from '../parts.tsx';
import { Picker } from '../picker.tsx';
import { client } from '../session.ts';
import { Chips } from './person.tsx';
import { deletion, rotation, TOKENS, TokenDone } from './tokens.tsx';

export const ACCESS = { full: 'Read and write', read: 'Read only' };

/** The terms of a token in a form; an empty field is no limit. */
const termsOf = ({ description, access, expires_in_days: days, roles, addresses }: Fields) => ({
  access: access as 'full' | 'read',
  ...(description && { description }),
  ...(days && { expires_in_days: Number(days) }),
  ...(roles && { roles: namesIn(roles) }),
  ...(addresses && { addresses: namesIn(addresses) }),
});

const limitsOf = ({ token_access, token_roles, token_addresses }: Token) => (
  <Chips of={[ACCESS[token_access], ...(token_roles ?? []), ...(token_addresses ?? [])]} />
);

interface TokenListProps {
  readonly username: string;
  /** The roles of the account: a token may be limited to some of them. */
  readonly roles: readonly string[];
  readonly inputs?: readonly unknown[];
  /** Whether it is the own account, whose tokens need another role. */
  readonly isOwn?: boolean;
  readonly canCreate?: boolean;
}

/** The API tokens of an account. */
export function TokenList({ username, roles, inputs = [], isOwn, canCreate = true }: TokenListProps) {
  const create: Action = {
    label: 'Create token',
    text: 'A program authenticates with the secret of the token.',
    isDue: canCreate,
    children: (
      <>
        <Field label="Name" name="token_name" required spellcheck={false} />
        <Field label="Description" name="description" />
        <Field label="Days until it ends" name="expires_in_days" type="number" min={1} hint="Empty: no end" />
        <Field label="Access" name="access" options={ACCESS} />
        {roles.length > 0 && (
          <Picker label="Roles" name="roles" known={roleChoices(roles)} hint="Empty: all of the account" />
        )}
        <Field label="Addresses" name="addresses" hint="Such as 192.0.2.0/24. Empty: all" />
      </>
    ),
    run: async ({ token_name = '', ...fields }, options) => {
      const input = { token_name, ...termsOf(fields) };
      const { value } = await (isOwn
        ? client.token.createOwn(input, options)
        : client.token.create({ username, ...input }, options));
      return <Once label="Secret" value={value} />;
    },
    done: ({ token_name = '' }) => <TokenDone name={token_name} of={username} what="created" />,
  };
  return (
    <ListPart
      read={(_, options) =>
        listing(() =>
          isOwn ? client.token.listOwn({}, options) : client.token.listUser({ username }, options),
        )
      }
      inputs={inputs}
      at="tokens"
      caption="API tokens"
      actions={[create]}
      keyOf={({ name }) => name}
      empty={
        canCreate ? 'No token yet. Create one for each program that works for the account.' : 'No token yet.'
      }
      columns={[...TOKENS, { label: 'Limits', cell: limitsOf }]}
      actionsOn={(token) => [rotation(token), deletion(token)]}
    />
  );
}
