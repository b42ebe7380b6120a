import type { ComponentChildren } from 'preact';
import type { RequestOptions } from '#lib/client/index';
import type { KeptKind } from '#lib/erasure/kept';
import { isPseudonym } from '#lib/item/erasure';
import { erasure as t } from '#texts/erasure';
import { Entry, Exact, openDocument, Rows } from '../document.tsx';
import { Pending } from '../listing.tsx';
import { useQuery } from '../query.ts';
import { client, useInstance } from '../session.ts';
import { asSaid } from '../time.tsx';
import { useNameOf } from './names.tsx';

type Erased = Awaited<ReturnType<typeof client.account.erase>>;

interface Proof {
  readonly erased: Erased;
  /** ID of the request that erased the account; empty if Activity has it no more. */
  readonly requestId: string;
  /** Of the account as the person who erases it has typed it; later only its ID is known. */
  readonly name?: string | undefined;
}

/** Actors of operator commands. */
const OPERATOR = 'operator:';

function Named({ username }: { readonly username: string }) {
  const name = useNameOf(username);
  return (
    <>
      <bdi>{name}</bdi>
      {name !== username && [' (', <bdi key="username">{username}</bdi>, ')']}
    </>
  );
}

/** Who has erased an account, by name. */
function By({ of }: { readonly of: string }) {
  if (isPseudonym(of)) return <>{t.erasedPerson}</>;
  if (of.startsWith(OPERATOR)) return <>{t.operator}</>;
  return <Named username={of} />;
}

/** What stays, in words for people; a kind of a later version in those of the service. */
const rowOf = ({ kind, where, what, lasts, why, until }: Erased['kept'][number]): ComponentChildren[] => {
  const texts = Object.hasOwn(t.kept, kind) ? t.kept[kind as KeptKind] : { where, what, why, lasts };
  const end = until ? t.until(lasts.split(' ')[0] ?? '', asSaid(until.slice(0, 10))) : (texts.lasts ?? lasts);
  return [texts.where, texts.what, end, texts.why];
};

/** The facts of an erasure, for those who have to prove it. */
function ErasureProof({ erased, requestId, name }: Proof) {
  const { userid, erased_at, erased_by, complete, kept } = erased;
  const instance = useInstance();
  return (
    <>
      <dl>
        <Entry name={t.organisation}>
          <bdi>{instance}</bdi>
        </Entry>
        {name && (
          <Entry name={t.person}>
            <bdi>{name}</bdi>
          </Entry>
        )}
        <Entry name={t.account}>{userid}</Entry>
        <Entry name={t.at}>
          <Exact of={erased_at} />
        </Entry>
        <Entry name={t.by}>
          <By of={erased_by} />
        </Entry>
        <Entry name={t.request}>{requestId || t.noRequest}</Entry>
        <Entry name={t.state}>
          {complete ? t.complete : t.incomplete(<Exact of={dayAfter(erased_at)} />)}
        </Entry>
        <Entry name={t.printed}>
          <Exact of={new Date().toISOString()} />
        </Entry>
      </dl>
      <h2>{t.gone}</h2>
      <ul class="plain">
        {t.goneKinds.map((kind) => (
          <li key={kind}>{kind}</li>
        ))}
      </ul>
      <h2>{t.stays}</h2>
      <p>{t.staysText}</p>
      <Rows head={t.keptHead} of={kept.map(rowOf)} />
      <p>{t.outside}</p>
      <p class="faint">{t.again}</p>
    </>
  );
}

const DAY_MS = 86_400_000;

/** When the erasure is complete at the latest. */
const dayAfter = (time: string) => new Date(Date.parse(time) + DAY_MS).toISOString();

/** Shows the proof of an erasure that was just done, and what a screen reader reads first. */
export const showErasureProof = (proof: Proof) =>
  openDocument({ title: t.title, children: <ErasureProof {...proof} /> });

/** The entry of the request that erased an account, not of its repeats. */
async function requestOf({ userid, erased_by }: Erased, options: RequestOptions) {
  const action = erased_by.startsWith(OPERATOR) ? 'admin account erase' : 'account.erase';
  for await (const entry of client.audit.browse({ target: `erased:${userid}`, action }, options))
    if (entry.changed && entry.outcome === 'ok') return entry.requestId ?? '';
  return '';
}

/** The proof of an earlier erasure: a repeat by the ID changes nothing, and answers the same facts. */
function Loaded({ userid }: { readonly userid: string }) {
  const proof = useQuery(
    async (signal) => {
      const erased = await client.account.erase({ username: userid }, { signal });
      return { erased, requestId: await requestOf(erased, { signal }) };
    },
    [userid],
  );
  return (
    <>
      <Pending {...proof} of="lines" />
      {proof.data && <ErasureProof {...proof.data} />}
    </>
  );
}

/** Shows the proof of an earlier erasure. @param userid ID of an account that was erased */
export const openErasureProof = (userid: string) =>
  openDocument({ title: t.title, children: <Loaded userid={userid} /> });
