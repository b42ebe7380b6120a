import { bestEffort } from '../../async/best-effort.ts';
import type { Body } from '../../contract/contract.ts';
import type { Actor } from '../../event/event.ts';
import { user_reactivate } from '../../event/user-events.ts';
import { type Account, liveTokens } from '../../item/account.ts';
import type { CredentialLimits } from '../../item/token.ts';
import { type AccountChange, type Announcing, announce, occurrenceBy } from '../../outbox/announcement.ts';
import { cancellationKey } from '../../table/keys.ts';
import { storing } from '../../table/write.ts';
import { changedItem } from '../directory/item.ts';
import { endOfPasskeys } from '../end-passkeys.ts';
import { endOfTrusts } from '../end-trusts.ts';
import { REQUEST_MS, removeRevoked } from '../tokens/remove.ts';
import { noteRevocation, revocationOf, withoutTokens } from '../tokens/revocation.ts';
import { checkMayEnd } from '../within.ts';
import type { contract as reactivate } from './reactivate.contract.ts';
import { transition } from './transition.ts';

/**
 * Makes a cancelled account active again; its sessions stay invalid. By default its API tokens, trusts and passkeys become
 * valid again. Trusts end with the tokens. What ends does so in the same write, so that none becomes valid for a moment.
 *
 * @param limits of the caller's credential: a passkey is wider than any with limits
 * @throws Failure `forbidden`
 */
export async function reactivateAccount(
  runtime: Announcing,
  target: Account,
  actor: Actor,
  { revoke_tokens = false, end_passkeys = false }: Body<typeof reactivate> = {},
  limits: CredentialLimits = {},
) {
  if (end_passkeys) checkMayEnd({}, limits);
  const { now, settings } = runtime;
  const occurrence = occurrenceBy(runtime, actor);
  const { at } = occurrence;
  const endsOf = (before: Account) => [
    ...(end_passkeys ? [endOfPasskeys(runtime, before, actor)] : []),
    ...(revoke_tokens ? [endOfTrusts(runtime, before, actor)] : []),
  ];
  const result = await transition(runtime, target, (before) => {
    const revoked = revoke_tokens ? liveTokens(before, at) : 0;
    const ends = endsOf(before);
    return {
      isDue: ({ isactive }) => !isactive,
      to: {
        isactive: true,
        cancelled_at: undefined,
        cancelled_by: undefined,
        ...(revoke_tokens && withoutTokens(before, runtime)),
      },
      others: () => [
        ...endOfCancellation(before, at),
        ...(revoke_tokens ? [noteRevocation(revocationOf(before, at))] : []),
        ...ends.flatMap(({ writes }) => writes),
      ],
      announcement: announce(runtime, user_reactivate, occurrence, revoked),
      also: together(ends),
    };
  });
  if (result.changed) await Promise.all(endsOf(result.before).map(({ removeItems }) => removeItems()));
  const revokes = revoke_tokens && result.changed;
  if (revokes) await bestEffort(removeRevoked(runtime, revocationOf(result.before, at), now() + REQUEST_MS));
  return {
    ...changedItem(result, now(), settings),
    tokens_revived: result.changed ? liveTokens(result.account, at) : 0,
    tokens_revoked: revokes ? liveTokens(result.before, at) : 0,
    passkeys_ended: end_passkeys && result.changed ? numberOf(result.before.passkeys) : 0,
    trusts_revived: result.changed ? numberOf(result.account.trusts) : 0,
    trusts_ended: revokes ? numberOf(result.before.trusts) : 0,
  };
}

const numberOf = (listed: object = {}) => Object.keys(listed).length;

/** Several changes of an account as one. */
const together = (changes: readonly AccountChange[]): AccountChange => ({
  to: Object.assign({}, ...changes.map(({ to }) => to)),
  counted: Object.assign({}, ...changes.map(({ counted }) => counted)),
  expected: Object.assign({}, ...changes.map(({ expected }) => expected)),
  events: (after) => changes.flatMap(({ events }) => events(after)),
});

/**
 * Lets the entry of a cancellation expire; lists skip it from then on. A deletion in the transaction would need a power over
 * accounts.
 */
const endOfCancellation = ({ username, cancelled_at }: Account, now: number) =>
  cancelled_at === undefined
    ? []
    : [
        storing(cancellationKey(username, cancelled_at), {
          cancelled_username: username,
          cancelled_at,
          ttl: Math.ceil(now / 1000),
        }),
      ];
