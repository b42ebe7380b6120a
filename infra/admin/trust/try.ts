import { readFile } from 'node:fs/promises';
import type { JSONWebKeySet } from 'jose';
import { readAccount } from '#lib/account/account';
import type { Cause } from '#lib/failure/cause';
import { issuerOf } from '#lib/instance/issuer';
import { barOf, hasTrust, isMachine } from '#lib/item/account';
import type { TrustItem } from '#lib/item/trust';
import { ALL_TRUSTS, issuerKey, spentGrantKey } from '#lib/table/keys';
import { everythingIn } from '#lib/table/listing';
import { get } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { escapeControls } from '#lib/text/control-characters';
import { faultOfSignature, type Grant, grantIn } from '#lib/trust/grant';
import { usableKeys } from '#lib/trust/issuer-keys';
import { type Issuer, issuersFromEnvironment } from '#lib/trust/issuers';
import { type Mismatch, mismatchesOf } from '#lib/trust/mismatch';
import type { Command } from '../command.ts';
import { ACCOUNT } from '../operator-needs.ts';
import { Output } from '../output.ts';
import { Refusal } from '../refusal.ts';
import type { Target } from '../target.ts';

/** What is wrong with a token for a trust; the trust is absent for what is wrong for all. */
type Fault = Omit<Mismatch, 'cause'> & { readonly cause: Cause };

/** Trusts that are shown, those with the fewest faults first. */
const SHOWN = 10;

export const tryToken: Command = {
  name: 'trust try <file>',
  description:
    'say which trusts accept the token of an issuer in a file, else what does not match; uses nothing up',
  group: 'administrator',
  inputs: { file: 'another token is judged', table: 'the answer is wrong' },
  needs: [ACCOUNT, 'index:GSI1:TRUSTS', 'table:GetItem:ISSUER', 'table:GetItem:GRANT'],
  audited: false,
  run: async (target, file: string) => {
    const grant = grantIn((await readFile(file, 'utf8')).trim());
    if (!grant)
      throw new Refusal(
        'malformed_grant',
        'The file has no JWT that RS256, PS256, ES256, ES384 or EdDSA signs',
      );
    const issuers = issuersFromEnvironment(target.runtime.settings);
    const issuer = issuers.find((one) => one.issuer === grant.payload.iss);
    if (!issuer)
      throw new Refusal(
        'unknown_issuer',
        `The token is of ${escapeControls(JSON.stringify(grant.payload.iss ?? null))}. Settings:Issuers has ${issuers.map((one) => one.issuer).join(', ') || 'none'}`,
      );
    return judged(target, grant, issuer);
  },
};

async function judged({ runtime, url }: Target, grant: Grant, issuer: Issuer) {
  const { settings, table, now } = runtime;
  const expected = { now: now(), audience: issuerOf({ ...settings, ApiUrl: settings.ApiUrl || url }) };
  const ofIssuer = mismatchesOf(grant.payload, issuer, undefined, expected);
  const keys = usableKeys(await get(table, issuerKey(issuer.issuer)), issuer, now());
  const general = [...ofIssuer, ...(await faultsOfUse(table, grant, issuer, keys))];
  const trusts: { trust: string; faults: readonly Fault[] }[] = [];
  for await (const page of everythingIn(table, ALL_TRUSTS))
    for (const trust of (page as TrustItem[]).filter((it) => it.trust_issuer === issuer.name)) {
      const own = mismatchesOf(grant.payload, issuer, trust, expected).slice(ofIssuer.length);
      const faults = own.length > 0 ? own : await faultsOfMachine(runtime, trust);
      trusts.push({ trust: `${trust.trust_name}@${trust.trust_owner}`, faults });
    }
  trusts.sort((one, other) => one.faults.length - other.faults.length);
  const accepted = general.length > 0 ? [] : trusts.filter(({ faults }) => faults.length === 0);
  const isVerified = keys !== undefined;
  const lines = [
    ...(isVerified ? [] : ['The signature was not checked: the command knows no keys of the issuer.']),
    ...general.map((fault) => `For every trust: ${lineOf(fault)}`),
    ...accepted.map(({ trust }) => `${trust} accepts the token.`),
    ...trusts
      .filter(({ faults }) => faults.length > 0)
      .slice(0, SHOWN)
      .flatMap(({ trust, faults }) => faults.map((fault) => `${trust}: ${lineOf(fault)}`)),
    ...(trusts.length === 0 ? [`No machine has a trust of the issuer ${issuer.name}.`] : []),
  ];
  const json = {
    issuer: issuer.name,
    signature_checked: isVerified,
    accepted_by: accepted.map(({ trust }) => trust),
    faults: general,
    trusts,
  };
  return new Output(json, { text: lines.map(escapeControls).join('\n'), hasFailed: accepted.length === 0 });
}

const lineOf = ({ cause, at, expected, found }: Fault) =>
  `${cause}: ${at} must be ${expected}, and is ${found ?? 'absent'}`;

/** What is wrong with the signature of a token, or with its use. */
async function faultsOfUse(
  table: Table,
  grant: Grant,
  issuer: Issuer,
  keys: JSONWebKeySet | undefined,
): Promise<readonly Fault[]> {
  const { jti, iss = '' } = grant.payload;
  const cause = keys && (await faultOfSignature(grant, keys));
  const signature = { at: 'signature', expected: 'that of a key of the issuer', found: 'another' };
  const ofSignature: readonly Fault[] = cause ? [{ cause, ...signature }] : [];
  if (!issuer.single_use) return ofSignature;
  if (typeof jti !== 'string' || jti === '')
    return [...ofSignature, { cause: 'malformed_grant', at: 'jti', expected: 'a text' }];
  const spent = await get(table, spentGrantKey(iss, jti));
  const used: Fault = { cause: 'grant_spent', at: 'jti', expected: 'one that was not used', found: jti };
  return [...ofSignature, ...(spent ? [used] : [])];
}

/** Why the machine of a trust cannot sign in. */
async function faultsOfMachine(
  { table, now }: Target['runtime'],
  { trust_owner, trust_id }: TrustItem,
): Promise<readonly Fault[]> {
  const account = await readAccount(table, trust_owner);
  const isListed = account !== undefined && isMachine(account) && hasTrust(account, trust_id);
  const cause = barOf(account, now()) ?? (isListed ? undefined : 'unknown_trust');
  return cause ? [{ cause, at: 'machine', expected: 'active, with this trust', found: 'not' }] : [];
}
