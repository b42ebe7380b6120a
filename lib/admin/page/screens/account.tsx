import type { Account, Profile } from '../../../client/index.ts';
import { Field } from '../form.tsx';
import { Pending } from '../listing.tsx';
import { Acts, Choice, Facts, Names, Once, Section } from '../parts.tsx';
import { usePlace } from '../place.ts';
import { useQuery } from '../query.ts';
import type { Screen } from '../screen.ts';
import { client } from '../session.ts';
import { Time } from '../time.tsx';
import { isUnused, State } from './accounts.tsx';
import { History } from './audit.tsx';
import { LockFields, lockTerms } from './bulk.tsx';
import { Sessions, Tokens } from './credentials.tsx';
import { Access, ProfilePart } from './profile.tsx';

/** An account as its sections receive it. */
export interface Read extends Required<Omit<Profile, 'instance'>> {
  readonly item: Account;
  /** Of the profile: an update with it finds changes of others. */
  readonly etag: string;
  /** Loads the account again. */
  readonly after: () => void;
}

/** The account in the directory, whose search also finds parts of names. */
async function itemOf(username: string, signal: AbortSignal): Promise<Account> {
  for await (const item of client.account.browse({ q: username, limit: 100 }, { signal }))
    if (item.username.toLowerCase() === username.toLowerCase()) return item;
  throw new Error('The directory does not list the account yet. Load the page again.');
}

async function read(username: string, signal: AbortSignal): Promise<Omit<Read, 'after'>> {
  let etag = '';
  const onHeaders = (headers: Headers) => {
    etag = headers.get('etag') ?? '';
  };
  const [item, profile] = await Promise.all([
    itemOf(username, signal),
    client.account.profile({ username, pscope: ['user', 'teams', 'roles', 'apps'] }, { signal, onHeaders }),
  ]);
  return { item, etag, ...(profile as Required<Profile>) };
}

function StatePart({ item, apps, after }: Read) {
  const { username, islocked, isactive } = item;
  const actions = (
    <Acts
      after={after}
      of={[
        {
          label: 'Lock',
          text: 'The next request with any of its credentials is refused. Its sessions end.',
          isDue: !islocked,
          isDangerous: true,
          children: <LockFields />,
          run: (fields, options) => client.account.lock({ username, ...lockTerms(fields) }, options),
        },
        {
          label: 'Unlock',
          text: 'Its password and its API tokens work again. Its sessions stay ended.',
          isDue: islocked,
          run: (_, options) => client.account.unlock({ username }, options),
        },
        {
          label: 'Create code',
          text: 'With the code, its owner sets a new password. It replaces an earlier code.',
          isDue: isactive && !islocked,
          children: (
            <Field
              label="Hours until it ends"
              name="hours"
              type="number"
              min={1}
              max={72}
              defaultValue="24"
              required
            />
          ),
          run: async ({ hours }, options) => {
            const { code } = await client.account.code({ username, hours: Number(hours) }, options);
            return <Once label="Code" value={code} />;
          },
        },
        {
          label: 'Cancel account',
          text: 'Its credentials are refused. Its applications receive the event, and may delete its data:',
          isDue: isactive,
          isDangerous: true,
          children: (
            <>
              <Names of={apps} />
              <Field
                label={`Type ${username} to confirm`}
                name="confirmation"
                autocomplete="off"
                required
                pattern={username.replace(/[.+]/g, '\\$&')}
                title={username}
              />
            </>
          ),
          run: (_, options) => client.account.cancel({ username }, options),
        },
        {
          label: 'Reactivate',
          text: 'Its password works again. Its sessions stay ended.',
          isDue: !isactive,
          children: (
            <Choice
              label="Its API tokens"
              name="tokens"
              required
              of={{ '': 'Choose…', revoke: 'are deleted', keep: 'work again' }}
            />
          ),
          run: ({ tokens }, options) =>
            client.account.reactivate({ username, revoke_tokens: tokens === 'revoke' }, options),
        },
      ]}
    />
  );
  return (
    <Section title={<bdi>{username}</bdi>} actions={actions}>
      <Facts
        of={{
          State: <State {...item} />,
          'Last active': <Time of={isUnused(item) ? null : item.lastActivity} />,
          Created: <Time of={item.created_at} />,
          ...(item.cancelled_by && { 'Cancelled by': <bdi>{item.cancelled_by}</bdi> }),
        }}
      />
    </Section>
  );
}

const PARTS = [StatePart, ProfilePart, Access, Tokens, Sessions, History];

function Whole({ username }: { username: string }) {
  const account = useQuery((signal) => read(username, signal), []);
  const { data, reload } = account;
  return (
    <>
      <Pending {...account} />
      {data && PARTS.map((Part) => <Part key={Part} {...data} after={reload} />)}
    </>
  );
}

function AccountView() {
  const { username } = usePlace().state;
  return username ? <Whole key={username} username={username} /> : <p>Choose an account in Accounts.</p>;
}

export const account: Screen = { id: 'account', title: 'Account', View: AccountView };
