import type { Contract } from '#lib/contract/contract';
import { textsOf } from '#lib/routes';
import type { Tag } from '#lib/texts';

export const TAGS = {
  Sessions: 'Log in and out. People, and programs for a limited time, authenticate with session tokens.',
  Passkeys:
    'Log in without a password, or confirm a session (WebAuthn level 3). A passkey cannot be phished: it signs for this instance only.',
  Tokens: 'API tokens for programs. Each belongs to an account and has the roles of that account.',
  Machines:
    'Let programs sign in with tokens that their platforms give them, so that nobody stores a secret.',
  Accounts: 'Profiles, the account directory, teams, and the states of accounts.',
  Audit: 'Who did what to whom, when, from where and with what result.',
  System: 'Utilities. Their responses have no envelope.',
  Events: 'Events that EventBridge has not accepted yet.',
  Documentation: 'The OpenAPI document.',
} as const satisfies Readonly<Record<Tag, string>>;

/**
 * The tag of webhooks, and no operation's: generators write one class for a tag, in which webhooks replace operations
 * (OpenAPITools/openapi-generator#20346).
 */
export const WEBHOOKS = {
  name: 'Webhooks',
  description: 'Changes of accounts and tokens, for other systems to follow. EventBridge delivers them.',
} as const;

/** The tags of nouns. */
const TAG_OF: Readonly<Record<string, Tag>> = {
  account: 'Accounts',
  audit: 'Audit',
  docs: 'Documentation',
  event: 'Events',
  oauth: 'Sessions',
  system: 'System',
  team: 'Accounts',
  token: 'Tokens',
  trust: 'Machines',
};

/** The tag of an endpoint: its own, or the one of its noun. */
export const tagOf = (contract: Contract) =>
  textsOf(contract).tag ?? TAG_OF[contract.id.split('.')[0] as string] ?? 'System';

/** Description of an endpoint in Markdown; by default the summary of its contract. */
export function aboutOf(contract: Contract): string {
  const { description = `${contract.summary}.` } = textsOf(contract);
  return [description].flat().join(' ');
}
