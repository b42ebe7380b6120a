import { useState } from 'preact/hooks';
import type { Token } from '#lib/client/index';
import { listing } from '#lib/client/listing';
import { tokens as t } from '#texts/tokens';
import type { Action } from '../act.tsx';
import { Field, type Fields, useDraft } from '../form.tsx';
import { ListPart } from '../listing.tsx';
import { number } from '../locale.ts';
import { roleName } from '../memberships.tsx';
import { Disclosure, Once } from '../parts.tsx';
import { client } from '../session.ts';
import { dateAgo, instant } from '../time.tsx';
import { ACCESS, LimitFields, limitsIn } from './limits.tsx';
import { NameOf } from './names.tsx';
import { Chips } from './person.tsx';
import { NameField } from './suggested.tsx';
import { deletion, rotation, TOKENS } from './tokens.tsx';

/** Another day than those that are offered. */
const DATE = 'date';

const DAYS = '90';

/** Until when a token works, as a form has it: the last day is included. */
const endIn = ({ expires_in_days: days, expires_at: day = '' }: Fields) =>
  days === DATE ? { expires_at: instant(`${day}T23:59`) } : days ? { expires_in_days: Number(days) } : {};

/** Why the service refuses an end, in words. */
function endFault(message: string) {
  const [, days] = /at most (\d+) days/.exec(message) ?? [];
  return days ? t.endRefused(number(Number(days))) : t.endPassed;
}

function EndFields() {
  const [ends, setEnds] = useState(useDraft('expires_in_days') ?? DAYS);
  return (
    <>
      <Field
        label={t.ends}
        name="expires_in_days"
        options={t.endChoices}
        defaultValue={DAYS}
        faultOf={endFault}
        onInput={({ currentTarget }) => setEnds(currentTarget.value)}
      />
      {ends === DATE && (
        <Field
          label={t.endDate}
          name="expires_at"
          type="date"
          required
          min={dateAgo()}
          defaultValue={dateAgo(-Number(DAYS))}
          faultOf={endFault}
        />
      )}
    </>
  );
}

const limitsOf = ({ token_access, token_roles, token_addresses }: Token) => (
  <Chips of={[ACCESS[token_access], ...(token_roles ?? []).map(roleName), ...(token_addresses ?? [])]} />
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
  const owner = <NameOf key="owner" username={username} />;
  const create: Action = {
    label: t.create,
    title: t.createAsk(owner),
    text: t.createText,
    isDue: canCreate,
    children: (
      <>
        <NameField name="token_name" placeholder={t.namePlaceholder} />
        <Field label={t.description} name="description" />
        <EndFields />
        <Disclosure title={t.restrict}>
          <LimitFields roles={roles} />
        </Disclosure>
      </>
    ),
    run: async ({ token_name = '', description, ...fields }, options) => {
      const terms = { ...(description && { description }), ...endIn(fields), ...limitsIn(fields) };
      const { value } = await (isOwn
        ? client.token.createOwn({ token_name, ...terms }, options)
        : client.token.create({ username, token_name, ...terms }, options));
      return <Once label={t.secret} value={value} />;
    },
    done: ({ token_name }) => t.created(<bdi>{token_name}</bdi>, owner),
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
      caption={t.caption}
      actions={[create]}
      keyOf={({ name }) => name}
      empty={canCreate ? t.noneCreate : t.none}
      columns={[...TOKENS, { label: t.columns.limits, cell: limitsOf }]}
      actionsOn={(token) => [rotation(token), deletion(token)]}
    />
  );
}
