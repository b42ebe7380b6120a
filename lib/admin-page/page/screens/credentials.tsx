import { namesIn } from '../../../account/file/csv.ts';
import type { Session, Token } from '../../../client/index.ts';
import { listing } from '../../../client/listing.ts';
import { MAX_OVERLAP } from '../../../token/maxima.ts';
import type { Action } from '../act.tsx';
import { Field, type Fields } from '../form.tsx';
import { type Column, ListPart, show } from '../listing.tsx';
import { Names, Once } from '../parts.tsx';
import { client } from '../session.ts';
import { Time } from '../time.tsx';
import type { Read } from './account.tsx';

/** The columns of tokens in all listings. */
export const TOKENS: Column<Token>[] = [
  ...show<Token>({ Token: 'name', Description: 'token_description', Ends: 'token_expires_at' }),
  { label: 'Last used', cell: (token) => <Time of={isUnused(token) ? null : token.token_used_at} /> },
];

const isUnused = (token: Token) => token.token_used_at === token.token_created_at;

const ACCESS = { full: 'Read and write', read: 'Read only' };

/** The terms of a token in a form; an empty field is no limit. */
const termsOf = ({ description, access, expires_in_days: days, roles, addresses }: Fields) => ({
  access: access as 'full' | 'read',
  ...(description && { description }),
  ...(days && { expires_in_days: Number(days) }),
  ...(roles && { roles: namesIn(roles) }),
  ...(addresses && { addresses: namesIn(addresses) }),
});

const limitsOf = ({ token_access, token_roles, token_addresses }: Token) => (
  <Names of={[ACCESS[token_access], ...(token_roles ?? []), ...(token_addresses ?? [])]} />
);

export const deletion = ({ username, name: token_name }: Token): Action => ({
  label: 'Delete',
  on: `${token_name} of ${username}`,
  text: 'Programs with this token are refused from their next request on. It cannot be restored.',
  isDangerous: true,
  run: (_, options) => client.token.delete({ username, token_name }, options),
});

export function Tokens({ item }: Read) {
  const { username } = item;
  const actionsOn = (token: Token): Action[] => [
    {
      label: 'Rotate',
      on: token.name,
      text: 'The token gets a new secret. Sessions of the old secret end with it.',
      children: (
        <Field
          label="Minutes until the old secret ends"
          name="overlap_minutes"
          type="number"
          min={0}
          max={MAX_OVERLAP}
          defaultValue="0"
          required
        />
      ),
      run: async ({ overlap_minutes }, options) => {
        const input = { username, token_name: token.name, overlap_minutes: Number(overlap_minutes) };
        return <Once label="New secret" value={(await client.token.rotate(input, options)).value} />;
      },
    },
    deletion(token),
  ];
  const create: Action = {
    label: 'Create token',
    text: 'A program authenticates with the secret of the token.',
    children: (
      <>
        <Field label="Name" name="token_name" required spellcheck={false} />
        <Field label="Description" name="description" />
        <Field label="Days until it ends" name="expires_in_days" type="number" min={1} hint="Empty: no end" />
        <Field label="Access" name="access" options={ACCESS} />
        <Field label="Roles" name="roles" hint="Roles of the account, with spaces between them. Empty: all" />
        <Field label="Addresses" name="addresses" hint="Such as 192.0.2.0/24. Empty: all" />
      </>
    ),
    run: async ({ token_name = '', ...fields }, options) => {
      const { value } = await client.token.create({ username, token_name, ...termsOf(fields) }, options);
      return <Once label="Secret" value={value} />;
    },
  };
  return (
    <ListPart
      read={(_, options) => listing(() => client.token.listUser({ username }, options))}
      inputs={[item]}
      at="tokens"
      caption="API tokens"
      actions={[create]}
      keyOf={({ name }) => name}
      empty="No token yet. Create one for each program that works for the account."
      columns={[...TOKENS, { label: 'Limits', cell: limitsOf }]}
      actionsOn={actionsOn}
    />
  );
}

export function Sessions({ item }: Read) {
  const { username } = item;
  const end = ({ id: session_id, address }: Session): Action => ({
    label: 'End session',
    on: address,
    text: 'Its next request is refused. The account and its other sessions stay as they are.',
    isDangerous: true,
    run: (_, options) => client.account.endSession({ username, session_id }, options),
  });
  return (
    <ListPart
      read={(page, options) => client.account.sessions({ username, ...page }, options)}
      inputs={[item]}
      at="sessions"
      caption="Sessions"
      keyOf={({ id }) => id}
      empty="The account has no open session."
      columns={show<Session>({
        Began: 'created_at',
        Ends: 'expires_at',
        Address: 'address',
        Program: 'user_agent',
        Token: 'credential',
      })}
      actionsOn={(session) => [end(session)]}
    />
  );
}
