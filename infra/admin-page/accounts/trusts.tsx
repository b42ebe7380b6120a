import { useState } from 'preact/hooks';
import type { Trust } from '#lib/client/index';
import type { KnownIssuer } from '#lib/trust/known-issuer';
import { trusts as t } from '#texts/trusts';
import type { Action } from '../act.tsx';
import { Button } from '../button.tsx';
import { Copy } from '../copy.tsx';
import { Dialog } from '../dialog.tsx';
import { Field } from '../form.tsx';
import { Listing, Pending } from '../listing.tsx';
import { roleName } from '../memberships.tsx';
import { Section } from '../parts.tsx';
import { useList, useQuery } from '../query.ts';
import { client, useApiUrl } from '../session.ts';
import { Time } from '../time.tsx';
import { ACCESS } from './limits.tsx';
import { NameOf } from './names.tsx';
import { Chips } from './person.tsx';
import { By } from './tokens.tsx';
import { createTrust, type Forms, TrustFields } from './trust-fields.tsx';

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
      <p>
        {t.snippet} {before}
      </p>
      <Field label={place} name="snippet" value={text} readOnly isLong />
      <Copy of={text} label={t.copy} />
      <p class="faint">{t.refused(<code>trust try</code>)}</p>
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
        {t.show}
      </Button>
      {isOpen && (
        <Dialog
          title={t.showTitle(<bdi>{trust_name}</bdi>, <NameOf username={username} />)}
          isLight
          onEscape={close}
        >
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
    {!isKnown && <div class="bad">{t.unknownIssuer}</div>}
  </div>
);

const Limits = ({ access, roles, addresses, max_minutes }: Trust) => (
  <Chips
    of={[ACCESS[access], ...(roles ?? []).map(roleName), ...(addresses ?? []), t.minutes(max_minutes)]}
  />
);

const deletion = ({ trust_name, username }: Trust): Action => {
  const names = [<bdi key="trust">{trust_name}</bdi>, <NameOf key="machine" username={username} />] as const;
  return {
    label: t.delete,
    title: t.deleteAsk(...names),
    text: t.deleteText,
    isDangerous: true,
    run: (_, options) => client.trust.delete({ trust_name, username }, options),
    done: () => t.deleted(...names),
  };
};

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
  const machine = <NameOf key="machine" username={username} />;
  const create: Action = {
    label: t.create,
    title: t.createAsk(machine),
    isMain: true,
    text: t.createText,
    isDue: issuers.length > 0 && forms.data !== undefined,
    children: forms.data && <TrustFields forms={forms.data} issuers={issuers} roles={roles} />,
    run: async (fields, options) => {
      const trust = await createTrust(forms.data as Forms, issuers, { ...fields, username }, options);
      return <Snippet forms={forms.data as Forms} trust={trust} issuer={issuerOf(trust)} />;
    },
    done: ({ trust_name }) => t.created(<bdi>{trust_name}</bdi>, machine),
  };
  return (
    <Section title={t.title} after={list.reload} actions={[create]}>
      <Pending {...forms} isLoading={false} />
      {list.data && issuers.length === 0 && (
        <p class="card">{t.noIssuer(<code>Issuers</code>, <code>{EXAMPLE}</code>)}</p>
      )}
      <Listing
        list={list}
        caption={t.title}
        keyOf={({ trust_id }) => trust_id}
        empty={t.none}
        columns={[
          { label: t.columns.trust, cell: ({ trust_name }) => <bdi>{trust_name}</bdi> },
          {
            label: t.columns.accepts,
            cell: (trust) => <Requirements of={trust} isKnown={issuerOf(trust) !== undefined} />,
          },
          { label: t.columns.limits, cell: Limits },
          {
            label: t.columns.created,
            cell: ({ created_at, created_by }) => (
              <span>{t.createdBy(<Time of={created_at} />, <By username={created_by} />)}</span>
            ),
          },
          {
            label: t.columns.use,
            cell: (trust) =>
              forms.data && <SnippetButton forms={forms.data} trust={trust} issuer={issuerOf(trust)} />,
          },
        ]}
        actionsOn={(trust) => [deletion(trust)]}
      />
    </Section>
  );
}
