import * as z from 'zod/mini';
import { unique } from '../account/identifiers.ts';
import { checkWithin } from '../account/within.ts';
import { timeText } from '../contract/paging.ts';
import { invalid } from '../failure/failure.ts';
import { MAX_TOKEN_DAYS } from '../instance/settings.ts';
import type { Account } from '../item/account.ts';
import { text, wholeNumber } from '../item/fields.ts';
import { type CredentialLimits, limitsOf, type TokenItem } from '../item/token.ts';
import { canonicalBlock } from '../network/addresses.ts';
import type { Runtime } from '../runtime.ts';
import type { SchemaTexts } from '../texts.ts';
import { DAY_MS, parseTime } from '../time.ts';
import { MAX_ADDRESSES, MAX_ROLES_LENGTH } from './maxima.ts';
import { tokenAccess } from './record.ts';

const isShort = (roles: readonly string[]) => JSON.stringify(unique(roles)).length <= MAX_ROLES_LENGTH;
const BLOCK = 'Must be an IPv4 or IPv6 address, or a block of them such as 192.0.2.0/24';

/** An address or a block of them; the union says in the schema what {@link canonicalBlock} takes. */
const block = () =>
  z
    .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], BLOCK)
    .check(z.refine((it) => canonicalBlock(it) !== undefined, BLOCK));

/** Limits in a request for a credential. */
export const limitTerms = () => ({
  access: z.optional(tokenAccess()),
  roles: z.optional(
    z.array(z.string()).check(z.refine(isShort, `Must have at most ${MAX_ROLES_LENGTH} characters`)),
  ),
  addresses: z.optional(z.array(block()).check(z.minLength(1), z.maxLength(MAX_ADDRESSES))),
});

/** Limits, end and description in a request for a token. */
export const tokenTerms = () =>
  z
    .strictObject({
      expires_at: z.optional(timeText()),
      expires_in_days: z.optional(wholeNumber(1, MAX_TOKEN_DAYS)),
      description: z.optional(text(200)),
      ...limitTerms(),
    })
    .register(z.globalRegistry, {
      not: {
        properties: { expires_at: {}, expires_in_days: {} },
        required: ['expires_at', 'expires_in_days'],
      },
    });

export const termsTexts = {
  name: 'TokenLimits',
  fields: {
    expires_at:
      'End of the token (UTC unless it has a zone), at most <!-- token-days --> days ahead; it is refused from then on',
    expires_in_days: 'End of the token in days from now, instead of `expires_at`',
    description: 'Purpose of the token',
    access: '`read` permits GET requests only, logout excepted; `full` by default',
    roles: 'Only these roles of the account count for the token; all of its roles by default',
    addresses:
      'Source addresses that may use the token, as IPv4 or IPv6 addresses or CIDR blocks; others are refused',
  },
} as const satisfies SchemaTexts;

export type RequestedTerms = z.output<ReturnType<typeof tokenTerms>>;

export type Terms = CredentialLimits & Pick<TokenItem, 'description'>;

type RequestedLimits = Pick<RequestedTerms, 'access' | 'roles' | 'addresses'>;

/** Requested limits; those of the credential of the request where none are requested. */
export const limitsFrom = (requested: RequestedLimits, own: CredentialLimits) => ({
  access: (requested.access ?? own.access) === 'read' ? ('read' as const) : undefined,
  roles: requested.roles ? unique(requested.roles) : own.roles,
  addresses: requested.addresses
    ? unique(requested.addresses.map((it) => canonicalBlock(it) as string))
    : own.addresses,
});

/** Refuses requested roles that the account does not have. @throws Failure `invalid_request` */
export function checkRoles({ roles }: Account, requested: RequestedLimits): void {
  if (requested.roles?.some((role) => !roles.includes(role)))
    throw invalid('roles', 'Must be roles of the account');
}

/**
 * The terms of a new token. It has the limits of the credential that creates it, unless narrower ones are requested.
 *
 * @param own limits of the credential
 * @throws Failure `forbidden` for more than the credential has; `invalid_request` for roles that the owner does not have,
 *   or an end that has passed or is too late
 */
export function termsOf(
  { now, settings }: Pick<Runtime, 'now' | 'settings'>,
  owner: Account,
  requested: RequestedTerms,
  own: CredentialLimits = {},
): Terms {
  const { description } = requested;
  const time = now();
  const { expires_at: at, expires_in_days: inDays } = requested;
  if (at && inDays) throw invalid('expires_in_days', 'Must be absent when expires_at is given');
  const field = at ? 'expires_at' : 'expires_in_days';
  const end = at ? parseTime(at) : inDays && time + inDays * DAY_MS;
  const expires_at = end ?? own.expires_at;
  const limits = { ...limitsFrom(requested, own), expires_at };
  checkWithin(limits, own, field);
  checkRoles(owner, requested);
  const days = settings.TokenMaxDays || MAX_TOKEN_DAYS;
  if (end !== undefined && end <= time) throw invalid(field, 'Must be in the future');
  const isTooLate = expires_at === undefined ? settings.TokenMaxDays > 0 : expires_at > time + days * DAY_MS;
  if (isTooLate) throw invalid(field, `Must be ${expires_at ? '' : 'given, '}at most ${days} days ahead`);
  return { ...limitsOf(limits), description };
}
