/** The accounts or keys that commands are repeated for. */
export const EACH = {
  named:
    'the account, and each that a list names, erased ones too (support: as `erased:<id>`, which the list of creations shows); after a minute again for all, until they list nothing new',
  created: 'each account that they created',
  others:
    'each other one, with the memberships that they added; without the password for a machine, which has none',
  locked: 'each account that the list shows as locked',
  revoked: 'each account whose tokens the list shows as revoked',
  chosen: 'each account whose password matters',
  passkeys: 'each passkey of the list that the owner does not know or no longer has',
  trusts: 'each trust of the list that accepts the token; in doubt, for all of them',
  keys: 'each `own` key of `sessions` that is not revoked, until none is left of those that the list had',
  resourceKeys:
    'each key that signs `resources` and is not revoked, of any secret, until none is left of those that the list had',
} as const;

/** Operator commands, in order. */
export interface Step {
  readonly commands: readonly string[];
  readonly each?: keyof typeof EACH;
}

/** The remedy of another row, for the accounts that the last list names. */
interface Reference {
  readonly like: 'administrator' | 'key';
}

/** The page about machines, whose blocks people write. */
export const MACHINES_PAGE = 'infra/admin/stolen-machines.md';

/** The page about tokens for other services, likewise. */
export const SERVICES_PAGE = 'infra/admin/stolen-services.md';

export interface Section {
  readonly heading: string;
  readonly noticed: string;
  /** By default the page that is generated. */
  readonly page?: string;
}

/** Headings of the pages for those on call, each with what people notice; a thing with a block of its own has one. */
export const SECTIONS = {
  account: {
    heading: 'An account',
    noticed:
      'A login, session, passkey, one-time code or password that the owner does not know; a password on a wrong page; a lost device; `passkey_cloned`',
  },
  token: {
    heading: 'An API token',
    noticed: 'A token in a repository, log or mail, or used from elsewhere; also one of an authorizer',
  },
  administrator: {
    heading: 'A credential of an administrator',
    noticed:
      'One of the above, and `account show` lists `sys_administrator`; accounts, roles or codes that nobody requested',
  },
  table: {
    heading: 'The table or a backup',
    noticed: 'A copy of the table, a backup or an `export` where it does not belong',
  },
  key: {
    heading: 'The private key, or an operator',
    noticed:
      'A session that nobody logged in; commands that no operator entered; a lost AWS credential of an operator; foreign reads of the key in CloudTrail',
  },
  support: {
    heading: 'An operator of support only',
    noticed: 'The same, of an operator with the policy of support',
  },
  role: {
    heading: 'The role of a function',
    noticed: 'A forged audit line; a malicious dependency; foreign use of a role in CloudTrail',
  },
  platform: {
    page: MACHINES_PAGE,
    heading: 'A token of a platform, or a session',
    noticed:
      'A platform’s token in a log; a session of a machine used from elsewhere; a foreign workflow that meets a trust',
  },
  issuer: {
    page: MACHINES_PAGE,
    heading: 'An issuer',
    noticed:
      'An issuer that gave tokens to others, or lost its key; `grant_spent` or `wrong_claim` from many machines',
  },
  resourceToken: {
    page: SERVICES_PAGE,
    heading: 'A token for another service',
    noticed: 'Such a token in a log, or used from elsewhere; another service was compromised',
  },
  resourceKey: {
    page: SERVICES_PAGE,
    heading: 'The private key of these tokens',
    noticed:
      'A token for another service whose `jti` is no `token_id` of the audit log; foreign reads of the secret in CloudTrail; a key in `keys list` that nobody knows',
  },
} as const satisfies Readonly<Record<string, Section>>;

/** The powers of a thief of something, and the commands that end all that it has made. */
export interface Remedy {
  readonly stolen: string;
  readonly gives: string;
  /** Its block in the page for those on call. */
  readonly section?: keyof typeof SECTIONS;
  /** Work outside of operator commands, before them. */
  readonly first?: string;
  readonly steps: readonly (Step | Reference)[];
  /** Another remedy, without the lock. */
  readonly or?: string;
  /** What stays afterwards. */
  readonly remains?: string;
  /** Why no test runs the remedy. */
  readonly untested?: string;
}

const REVOKE = 'token revoke --all <account> --yes';
const PASSWORD = 'account password <account>';
/**
 * The remedy of everything that belongs to one account: nobody knows at once what else its thief has. The account is
 * locked, or a thief with a passkey would create others between the list and the removals.
 */
const OF_ACCOUNT: readonly Step[] = [
  { commands: ['account lock <account>', REVOKE, 'account passkey list <account>'] },
  { commands: ['account passkey remove <passkey> <account>'], each: 'passkeys' },
  // It prompts: a pasted unlock would be its answer, so that the account stays locked.
  { commands: [PASSWORD, 'account unlock <account>'] },
];

/** The way back of an owner: its code ends password, sessions and passkeys in one write. */
export const WAY_BACK = ['account code <account> --end-passkeys', REVOKE] as const;
const OR = `Or, while the thief does not end the code by logouts: \`${WAY_BACK[0]}\`, its use by the owner, \`${WAY_BACK[1]}\``;

/** For a thief who may write former values of accounts: a reset of all stamps ends the sessions and codes, this the tokens. */
const REVIVED: readonly Step[] = [
  { commands: ['audit --since <time> --outcome ok'] },
  { commands: [REVOKE], each: 'revoked' },
];

const CHANGED =
  'What the lists show: cancelled accounts, changed profiles, new teams, ended tokens; and accounts that were unlocked or reactivated, which need their lock or cancellation again';
const IN_IAM = 'In IAM, revoke the sessions of the role and remove the thief';

/** The stolen things, by the names that test/integration/remedies.local.slow.test.ts has for them. */
export const REMEDIES = {
  password: {
    stolen: 'a password, or a one-time code',
    section: 'account',
    gives: 'its account: sessions, a new password, a first passkey, and with `sys_tokens` API tokens',
    steps: OF_ACCOUNT,
    or: OR,
  },
  session: {
    stolen: 'a session',
    section: 'account',
    gives:
      'the same without a new password, until the session ends; a passkey only in its first <!-- recent-minutes --> minutes, or after an assertion',
    steps: OF_ACCOUNT,
    or: OR,
  },
  passkey: {
    stolen: 'a passkey or its device, unlocked',
    section: 'account',
    gives:
      'its account: sessions that a passkey has confirmed, further passkeys, and with `sys_tokens` API tokens',
    steps: OF_ACCOUNT,
    or: OR,
  },
  token: {
    stolen: 'an API token',
    section: 'token',
    gives:
      'within its limits: sessions, new secrets of tokens of its account, and with `sys_tokens` new tokens',
    steps: [{ commands: [REVOKE] }],
  },
  authorizer: {
    stolen: 'the token of an authorizer (`sys_introspection`)',
    section: 'token',
    gives: 'the same; and account, roles and limits of credentials that the thief already has',
    steps: [{ commands: [REVOKE] }],
  },
  platform: {
    stolen: 'a token that a platform gives a machine, or a session of the machine',
    section: 'platform',
    gives:
      'sessions of the machine within the limits of the trust, until the token of the platform expires, or once if it is for one use; no token, code or trust',
    steps: [
      { commands: ['trust list <machine>'] },
      { commands: ['trust delete <trust> <machine>'], each: 'trusts' },
    ],
    remains:
      'The token itself, within its life: create the trust again when it has expired, under the same name if you like',
  },
  issuer: {
    stolen: 'an issuer of `Settings:Issuers`, or its key',
    section: 'issuer',
    gives: 'the same, for every machine that has a trust of it',
    steps: [{ commands: ['trust delete --issuer <issuer> --yes', 'trust list --issuer <issuer>'] }],
    remains:
      'The issuer: remove it from the setting, and deploy, before somebody creates a trust of it again',
  },
  administrator: {
    stolen: 'one of these of a `sys_administrator`',
    section: 'administrator',
    gives:
      'accounts, roles, and for every account tokens and one-time codes, so passwords and sessions; trusts of machines',
    steps: [
      {
        commands: [
          'account lock <account> --force',
          REVOKE,
          'trust delete --created-by <account> --created-since <time> --yes',
          'audit --actor <account> --since <time> --outcome ok',
        ],
        each: 'named',
      },
      { commands: ['account cancel <account> --yes'], each: 'created' },
      {
        commands: [
          'account remove <account> --role <role> --team <team> --app <app>',
          'account passkey list <account>',
          'account passkey remove <passkey> <account>',
          PASSWORD,
          'account unlock <account>',
        ],
        each: 'others',
      },
    ],
    remains: CHANGED,
  },
  table: {
    stolen: 'the table or a backup',
    section: 'table',
    gives:
      'names, profiles, roles, password hashes, and SHA-256 of tokens with 178 random bits and of one-time codes with 60, which end within <!-- max-code-hours --> hours; SHA-256 of names in recent logins, also of a password typed as the name; no token, no session',
    steps: [{ commands: ['account reset-stamps --yes'] }, { commands: [PASSWORD, REVOKE], each: 'chosen' }],
    remains: 'The data that was read',
  },
  key: {
    stolen: 'the private key',
    section: 'key',
    gives:
      'nothing alone, because a session contains a random stamp from the table; with both, any session, so everything of administrators',
    steps: [
      { commands: ['keys list'] },
      { commands: ['keys revoke <kid>'], each: 'keys' },
      { commands: ['audit --since <time> --outcome ok'] },
      { like: 'administrator' },
    ],
    remains: CHANGED,
  },
  administrators: {
    stolen: 'credentials of an operator with the policy of administrators',
    section: 'key',
    gives: 'everything, the table and the private key too',
    first: IN_IAM,
    steps: [{ like: 'key' }],
    remains:
      'The same; tokens for other services, whose [keys end apart](../../infra/admin/stolen-services.md#the-private-key-of-these-tokens); and writes to the table without a command, which no log shows: [restore](../../infra/aws/operations.md#backup-and-restore) a point in time',
  },
  support: {
    stolen: 'credentials of an operator with the policy of support',
    section: 'support',
    gives:
      'locks, blocks of addresses, and the end of sessions, tokens, codes and waiting events; hashes of one-time codes; by writes to the table, [the revival](powers.md#what-a-former-value-revives) of ended sessions, tokens and codes that the thief has kept',
    first: IN_IAM,
    steps: [
      { commands: ['account reset-stamps --yes'] },
      { commands: ['audit --actor operator --since <time> --outcome ok'] },
      { commands: ['account unlock <account>'], each: 'locked' },
      ...REVIVED,
    ],
    remains:
      'Ended tokens and deleted events; blocked addresses (`login blocks`, `login unblock <address>`); an account whose code was found from its hash, as after its theft',
  },
  role: {
    stolen: 'the role of a function',
    section: 'role',
    gives:
      '[its powers](powers.md) over every account, such as [the revival](powers.md#what-a-former-value-revives) of ended sessions',
    first: 'Deploy again with a new role',
    steps: [{ commands: ['account reset-stamps --yes'] }, ...REVIVED],
    remains: 'What its powers made, as for that thing',
  },
  resourceToken: {
    stolen: 'a token for another service',
    section: 'resourceToken',
    gives:
      'that service, with the roles in the token, until it ends: at most <!-- max-resource-minutes --> minutes; nothing here, and nothing at a service that compares its audience',
    steps: [{ commands: ['audit --since <time> --action oauth.token'] }],
    remains:
      'The token, until it ends: tell the service. If its credential is stolen, too, the remedy of that prevents further ones',
  },
  resourceKey: {
    stolen: 'the private key of tokens for other services',
    section: 'resourceKey',
    gives: 'any token for every other service, of any account with any roles; nothing here',
    steps: [
      { commands: ['keys list'] },
      { commands: ['keys revoke <kid>'], each: 'resourceKeys' },
      { commands: ['keys list'] },
    ],
    remains:
      'Gateways and services accept a key for up to <!-- gateway-cache-hours --> hours after its revocation, or until they clear their caches: tell each',
  },
  resourceService: {
    stolen: 'another service that receives tokens, or its logs',
    gives:
      'the tokens that its callers send, at that service only, until they end; nothing here, and nothing at a service that compares its audience',
    steps: [],
    remains: 'The tokens, until they end. Two services with one audience are one service',
    untested: 'there is nothing to end here',
  },
  resourceEntry: {
    stolen: 'an audience of `Settings:Resources` that is wrong, or whose service is in foreign hands',
    gives: 'the tokens that callers request for it, and send there',
    first: 'Remove the entry, and deploy',
    steps: [],
    remains: 'The last tokens for it, for the minutes of the entry',
    untested: 'a deployment ends it',
  },
  logs: {
    stolen: 'the logs',
    gives:
      'account and token names, request and user IDs, routes, statuses, addresses, [causes](../../infra/aws/refused-credentials.md) of refused credentials; no credential, query or body',
    steps: [],
    untested: 'there is nothing to end',
  },
} as const satisfies Readonly<Record<string, Remedy>>;

/** All steps of a remedy, those of other rows included. */
export const stepsOf = ({ steps }: Remedy): Step[] =>
  steps.flatMap((step) => ('like' in step ? stepsOf(REMEDIES[step.like]) : [step]));

const REFERENCES: Readonly<Record<Reference['like'], string>> = {
  administrator: 'as for a `sys_administrator`, for each account that the list names',
  key: 'as for the private key',
};

const commandsOf = ({ commands, each }: Step) =>
  `${commands.map((command) => `\`${command}\``).join(', ')}${each ? `: ${EACH[each]}` : ''}`;

const textOf = (step: Step | Reference) => ('like' in step ? REFERENCES[step.like] : commandsOf(step));

/** The table of all stolen things: head and rows. */
export function remediesTable() {
  const rows = Object.values<Remedy>(REMEDIES).map(({ stolen, gives, first, steps, or, remains = '' }) => {
    const all = [...(first ? [first] : []), ...steps.map(textOf)];
    const numbered = all.length > 1 ? all.map((text, n) => `${n + 1}. ${text}`) : all;
    const both = [...numbered, ...(or ? [or] : [])];
    return [stolen, gives, both.join('<br>') || 'none', remains];
  });
  return [['Stolen', 'Gives', 'Remedy, in this order', 'Remains'], rows] as const;
}
