import type { Contract } from '#lib/contract/contract';
import texts from './operations.json' with { type: 'json' };

export const TAGS = {
  Sessions: 'Log in and out. People, and programs for a limited time, authenticate with session tokens.',
  Tokens: 'API tokens for programs. Each belongs to an account and has the roles of that account.',
  Accounts: 'Profiles, the account directory, teams, and the states of accounts.',
  Audit: 'Who did what to whom, when, from where and with what result.',
  System: 'Utilities. Their responses have no envelope.',
  Events: 'Changes of accounts and tokens, for other systems to follow. EventBridge delivers them.',
  Documentation: 'The OpenAPI document.',
} as const;

const TAG_OF: Readonly<Record<string, keyof typeof TAGS>> = {
  account: 'Accounts',
  audit: 'Audit',
  docs: 'Documentation',
  event: 'Events',
  oauth: 'Sessions',
  system: 'System',
  team: 'Accounts',
  token: 'Tokens',
  'account.end-session': 'Sessions',
  'account.login': 'Sessions',
  'account.logout': 'Sessions',
  'account.password': 'Sessions',
  'account.sessions': 'Sessions',
};

/** The tag of an endpoint, by its ID or its noun. */
export const tagOf = ({ id }: Contract) => TAG_OF[id] ?? TAG_OF[id.split('.')[0] as string] ?? 'System';

/** Response headers of a success that are not in the contract. */
export const HEADERS_OF: Readonly<Record<string, readonly string[]>> = {
  'account.login': ['set-cookie'],
  'account.logout': ['set-cookie'],
  'account.password': ['set-cookie'],
  'account.profile': ['etag'],
  'account.profile-update': ['etag'],
};

/** Descriptions of the endpoints in Markdown, by the ID of the contract. */
export const ABOUT: Readonly<Record<string, string>> = texts;

/** Description of an endpoint; by default the summary of its contract. */
export const aboutOf = ({ id, summary }: Contract) => ABOUT[id] ?? `${summary}.`;
