import { useState } from 'preact/hooks';
import type { Trust } from '#lib/client/index';
import type { KnownIssuer } from '#lib/trust/known-issuer';
import type { Action } from '../act.tsx';
import { Button } from '../button.tsx';
import { Copy } from '../copy.tsx';
import { Dialog } from '../dialog.tsx';
import { Field } from '../form.tsx';
import { Listing, Pending } from '../listing.tsx';
import { Section } from '../parts.tsx';
import { useList, useQuery } from '../query.ts';
import { client, useApiUrl } from '../session.ts';
import { Time } from '../time.tsx';
import { Chips } from './person.tsx';
import { ACCESS } from './token-list.tsx';
import { createTrust, type Forms, TrustFields } from './trust-fields.tsx';
import { nameFor } from './who.tsx';

const loadForms = (): Promise<Forms> => import('../trusts/index.ts');

interface SnippetProps {
  readonly forms: Forms;
  readonly trust: Trust;
  readonly issuer: KnownIssuer | undefined;
}

/** What to paste where, so that a program signs in with a trust. */
function Snippet({ forms, trust, issuer }: SnippetProps) {
  const url = useApiUrl();
  const { text, place, before } = forms.snippetOf(issuer?.platform ?? '', {
    client: `${trust.trust_name}@${trust.username}`,
    subject: trust.subject,
    audience: issuer?.audience ?? url,
    url,
  });
  return (
    <>
      <p>It contains no secret, signs in, and reads the profile of the machine. {before}</p>
      <Field label={place} name="snippet" value={text} readOnly isLong wrap="off" />
      <Copy of={text} label="Copy" />
      <p class="faint">
        It is refused? Activity says why. The operator command <code>trust try</code> compares a token with
        the trust.
      </p>
    </>
  );
}

/** A button that shows the snippet of a trust. */
function SnippetButton(props: SnippetProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { trust_name, username } = props.trust;
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Show
      </Button>
      {isOpen && (
        <Dialog title="Use the trust" on={`${trust_name} of ${username}`} isLight onEscape={close}>
          <Snippet {...props} />
        </Dialog>
      )}
    </>
  );
}

/** What a token must be, for a trust to accept it. */
const Requirements = ({ of, isKnown }: { readonly of: Trust; readonly isKnown: boolean }) => (
  <div>
    <bdi>{of.issuer}</bdi>: <code>{of.subject}</code>
    {Object.entries(of.claims).map(([name, value]) => (
      <div key={name} class="faint">
        <bdi>{name}</bdi>: <code>{JSON.stringify(value)}</code>
      </div>
    ))}
    {!isKnown && <div class="bad">not in the settings: nothing signs in</div>}
  </div>
);

const Limits = ({ access, roles, addresses, max_minutes }: Trust) => (
  <Chips of={[ACCESS[access], ...(roles ?? []), ...(addresses ?? []), `${max_minutes} minutes`]} />
);

const deletion = ({ trust_name, username }: Trust): Action => ({
  label: 'Delete',
  on: `${trust_name} of ${username}`,
  text: 'Its sessions end at once: their next request is refused. A trust that is created again under its name does not revive them.',
  isDangerous: true,
  run: (_, options) => client.trust.delete({ trust_name, username }, options),
  done: () => (
    <>
      The trust <bdi>{trust_name}</bdi> of <bdi>{username}</bdi> is deleted, and its sessions have ended.
    </>
  ),
});

/** What whoever deploys the service adds, so that trusts can be created. */
const EXAMPLE = '[{"name": "github", "issuer": "https://token.actions.githubusercontent.com"}]';

interface TrustListProps {
  readonly username: string;
  readonly roles: readonly string[];
  readonly inputs?: readonly unknown[];
}

/** The trusts of a machine: which tokens of other platforms sign it in. */
export function TrustList({ username, roles, inputs = [] }: TrustListProps) {
  const forms = useQuery(loadForms, []);
  const list = useList((page, options) => client.trust.browse({ username, ...page }, options), {
    inputs,
    at: 'trusts',
  });
  const issuers = list.data?.issuers ?? [];
  const issuerOf = (trust: Trust) => issuers.find(({ name }) => name === trust.issuer);
  const create: Action = {
    label: 'Create trust',
    isMain: true,
    text: 'A program signs in with the token that its platform gives it: nobody stores a secret.',
    isDue: issuers.length > 0 && forms.data !== undefined,
    children: forms.data && <TrustFields forms={forms.data} issuers={issuers} roles={roles} />,
    run: async (fields, options) => {
      const trust = await createTrust(forms.data as Forms, issuers, { ...fields, username }, options);
      return <Snippet forms={forms.data as Forms} trust={trust} issuer={issuerOf(trust)} />;
    },
    done: ({ trust_name }) => (
      <>
        The trust <bdi>{trust_name}</bdi> of <bdi>{username}</bdi> is created. Paste this where the program
        runs.
      </>
    ),
  };
  return (
    <Section title="Trusts" on={username} after={list.reload} actions={[create]}>
      <Pending {...forms} isLoading={false} />
      {list.data && issuers.length === 0 && (
        <p class="card">
          No issuer is set yet. Whoever deploys the service adds those that it trusts to the setting{' '}
          <code>Issuers</code>: <code>{EXAMPLE}</code>
        </p>
      )}
      <Listing
        list={list}
        caption="Trusts"
        keyOf={({ trust_id }) => trust_id}
        empty="No trust yet. Create one for each program, or an API token where its platform gives it no token."
        columns={[
          { label: 'Trust', cell: ({ trust_name }) => <bdi>{trust_name}</bdi> },
          {
            label: 'Accepts tokens of',
            cell: (trust) => <Requirements of={trust} isKnown={issuerOf(trust) !== undefined} />,
          },
          { label: 'Limits', cell: Limits },
          {
            label: 'Created',
            cell: ({ created_at, created_by }) => (
              <span>
                <Time of={created_at} /> by <bdi>{nameFor(created_by)}</bdi>
              </span>
            ),
          },
          {
            label: 'Use',
            cell: (trust) =>
              forms.data && <SnippetButton forms={forms.data} trust={trust} issuer={issuerOf(trust)} />,
          },
        ]}
        actionsOn={(trust) => [deletion(trust)]}
      />
    </Section>
  );
}
