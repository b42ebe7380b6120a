import { asRead } from '../account/account.ts';
import { changeAccount } from '../account/change-account.ts';
import { checkWithin } from '../account/within.ts';
import { PATIENT } from '../async/retry.ts';
import type { Body } from '../contract/contract.ts';
import type { Actor } from '../event/event.ts';
import { trust_create } from '../event/trust-events.ts';
import { Failure, forbidden } from '../failure/failure.ts';
import { type Account, isMachine } from '../item/account.ts';
import type { CredentialLimits } from '../item/token.ts';
import type { TrustItem } from '../item/trust.ts';
import { type Announcing, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import { assign } from '../table/expressions.ts';
import { accountKey, trustIndex, trustKey } from '../table/keys.ts';
import { storing } from '../table/write.ts';
import { isoOf } from '../time.ts';
import { checkRoles, limitsFrom } from '../token/terms.ts';
import type { contract } from './create.contract.ts';
import type { Issuer } from './issuers.ts';
import { MAX_TRUSTS, MINUTES } from './maxima.ts';
import { type TrustRecord, trustRecord } from './record.ts';
import { checkRequirements, issuerNamed } from './rules.ts';

/** A validated request for a trust, with the issuers of the instance. */
export interface RequestedTrust extends Body<typeof contract> {
  readonly issuers: readonly Issuer[];
  /** Of the credential of the request; an operator has none. */
  readonly limits?: CredentialLimits;
}

/**
 * Creates a trust of a machine. It counts as a transition, as its deletion does.
 *
 * @throws Failure `invalid_request`, `forbidden`, `person_account`, `account_cancelled`, `trust_exists`, `trust_limit`
 */
export async function createTrust(
  runtime: Announcing,
  machine: Account,
  name: string,
  actor: Actor,
  requested: RequestedTrust,
): Promise<TrustRecord> {
  const terms = termsOf(machine, requested);
  const occurrence = occurrenceBy(runtime, actor);
  const announcement = announce(runtime, trust_create, occurrence, name);
  const id = runtime.uuid();
  return changeAccount(
    machine,
    async (account) => {
      const { username, trusts = {} } = account;
      if (!isMachine(account)) throw new Failure('person_account');
      if (!account.isactive) throw new Failure('account_cancelled');
      if (Object.hasOwn(trusts, name)) throw new Failure('trust_exists');
      if (Object.keys(trusts).length >= MAX_TRUSTS) throw new Failure('trust_limit');
      const trust: TrustItem = {
        trust_owner: username,
        trust_name: name,
        trust_id: id,
        ...terms,
        trust_created_at: isoOf(occurrence.at),
        trust_created_by: occurrence.by,
      };
      const to = { trusts: { ...trusts, [name]: id }, transitions: (account.transitions ?? 0) + 1 };
      const changes = assign(
        { ...to, ...announcement.counted(account) },
        { ...asRead(account), ...announcement.expected(account) },
      );
      const writes = [
        { Update: { Key: accountKey(username), ...changes } },
        // A deleted trust with the same name may have left its item.
        storing(trustKey(username, name), { ...ABSENT, ...trust, ...trustIndex(username, name) }),
      ];
      const events = announcement.events({ ...account, ...to });
      return (await commitWithEvents(runtime, writes, events, PATIENT)) ?? trustRecord(trust);
    },
    PATIENT.attempts,
  );
}

const ABSENT = {
  access: undefined,
  addresses: undefined,
  trust_claims: undefined,
  trust_roles: undefined,
  ttl: undefined,
};

/** What a trust accepts and permits, as it is stored. */
function termsOf(machine: Account, requested: RequestedTrust) {
  const { issuers, subject, claims = {}, max_minutes = MINUTES, limits: own = {} } = requested;
  const issuer = issuerNamed(issuers, requested.issuer);
  checkRequirements(issuer, { subject, claims });
  const { access, roles, addresses } = limitsFrom(requested, own);
  // A trust has no end.
  if (own.expires_at !== undefined)
    throw forbidden('expires_at', 'Requires a credential without an end, since a trust has none');
  checkWithin({ access, roles, addresses }, own);
  checkRoles(machine, requested);
  return {
    trust_issuer: issuer.name,
    trust_subject: subject,
    ...(Object.keys(claims).length > 0 && { trust_claims: claims }),
    ...(roles && { trust_roles: roles }),
    ...(access && { access }),
    ...(addresses && { addresses }),
    max_minutes,
  };
}
