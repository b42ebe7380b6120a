import { withFigures } from '#infra/openapi/texts/figures';
import type { AuditEntry } from '#lib/item/audit-entry';
import { EACH, SECTIONS, type Section, type Step } from '../../infra/remedies.ts';
import { pageOf, referring, repeated } from '../../infra/stolen.ts';
import { commandsIn } from './articles.ts';

/** Answers to the prompts of commands, as options. */
const PROMPTS: Readonly<Record<string, readonly string[]>> = {
  'account cancel': ['--yes'],
  'account reset-stamps': ['--yes'],
  'token revoke': ['--yes'],
  'account password': ['--password-stdin'],
  audit: ['--json'],
  'keys list': ['--json'],
  'account lock': ['--json'],
  'account passkey list': ['--json'],
  'trust list': ['--json'],
};

const ROUNDS = Object.keys(EACH) as NonNullable<Step['each']>[];

/**
 * The steps that people read in a block: commands, and comments about those that follow.
 *
 * @throws Error if a line is neither
 */
export function stepsIn(lines: readonly string[]): Step[] {
  // A comment may have several lines.
  const joined = lines
    .join('\n')
    .replaceAll(/(?<=^# .*)\n# /gm, ' ')
    .split('\n');
  const steps: { commands: string[]; each?: NonNullable<Step['each']> }[] = [];
  for (const line of joined) {
    if (line.startsWith('admin ')) {
      if (steps.length === 0) steps.push({ commands: [] });
      steps.at(-1)?.commands.push(line.replace('admin ', ''));
      continue;
    }
    const text = line.replace('# ', '');
    const each = ROUNDS.find((name) => withFigures(repeated(name)) === text);
    const section = Object.values(SECTIONS).find(({ heading }) => referring(heading) === text);
    if (section) steps.push(...(stepsOf(section) as typeof steps));
    else if (each || text === 'Then:') steps.push({ commands: [], ...(each && { each }) });
    else throw new Error(`Nobody can enter "${line}"`);
  }
  return steps;
}

const stepsOf = (section: Section) => stepsIn(commandsIn(pageOf(section), section.heading));

/** The steps of a section of a page for those on call, as they stand there. */
export const stepsOnPage = (section: keyof typeof SECTIONS) => stepsOf(SECTIONS[section]);

type Values = Readonly<Record<string, readonly string[]>>;

/** A command of the page with values: an option is repeated for each of its values, and left out without one. */
const wordsOf = (command: string, values: Values) =>
  [...command.matchAll(/(?:(--[\w-]+) )?<(\w+)>|\S+/g)].flatMap(([word, option, name]) =>
    name === undefined
      ? [word]
      : (values[name] ?? []).flatMap((value) => (option ? [option, value] : [value])),
  );

/** The account that an entry names, if it names one. */
function accountOf({ action, target }: AuditEntry): string | undefined {
  if (/\btoken[. ]/.test(action)) return target?.slice(target.indexOf('@') + 1);
  return /\b(account|trust)[. ]/.test(action) ? (target ?? undefined) : undefined;
}

/** An incident, as those who end it know it. */
interface Incident {
  /** The stolen accounts, or those whose password matters. */
  readonly accounts: readonly string[];
  /** Name of the compromised issuer, if it is one. */
  readonly issuer?: string;
  /** A time before the theft. */
  readonly time: string;
  /** Runs an operator command on the instance. */
  readonly run: (
    words: readonly string[],
    input: string,
  ) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  readonly newPassword: (account: string) => string;
  /** Whether an owner knows a passkey of the list; by default, the owners have none of their own. */
  readonly isKnown?: (
    passkey: { readonly name: string; readonly created_at: string },
    account: string,
  ) => boolean;
  /** Waits until the audit log has everything. */
  readonly settled: () => Promise<unknown>;
}

/**
 * Runs these commands, and no other.
 *
 * @returns the accounts that the audit log named, those that the thieves had created, and the new passwords
 */
export async function apply(
  steps: readonly Step[],
  { accounts, issuer, time, run, newPassword, isKnown = () => false, settled }: Incident,
) {
  const named = new Set(accounts);
  const seen = new Map<string, AuditEntry>();
  const passwords = new Map<string, string>();
  let keys: string[] = [];
  let resourceKeys: string[] = [];
  /** Of the last listed account. */
  let passkeys: string[] = [];
  let trusts: string[] = [];
  const machines = new Set<string>();

  const entriesAbout = (account: string, action: RegExp) =>
    [...seen.values()].filter((entry) => action.test(entry.action) && accountOf(entry) === account);
  const added = (account: string, kind: string) =>
    [...new Set(entriesAbout(account, /./).flatMap(({ details }) => details?.[`${kind}_added`] ?? []))].map(
      String,
    );
  const created = () => [...named].filter((each) => entriesAbout(each, /\baccount.create$/).length > 0);
  const hasRevoked = (account: string) => entriesAbout(account, /\btoken.revoke$/).length > 0;
  const isLocked = (account: string) => entriesAbout(account, /\baccount.lock$/).length > 0;

  function learn(command: string, stdout: string, account = '') {
    if (command.startsWith('keys list')) {
      const items = JSON.parse(stdout) as { kid: string; state: string; secret: string; signs: string }[];
      const good = items.filter(({ state }) => state !== 'revoked');
      keys = good
        .filter(({ secret, signs }) => secret === 'own' && signs === 'sessions')
        .map(({ kid }) => kid);
      resourceKeys = good.filter(({ signs }) => signs === 'resources').map(({ kid }) => kid);
    }
    if (command.startsWith('account passkey list'))
      passkeys = (JSON.parse(stdout) as { name: string; created_at: string }[])
        .filter((passkey) => !isKnown(passkey, account))
        .map(({ name }) => name);
    if (command.startsWith('account lock') && JSON.parse(stdout).kind === 'machine') machines.add(account);
    if (command.startsWith('trust list'))
      trusts = (JSON.parse(stdout) as { trust_name: string }[]).map(({ trust_name }) => trust_name);
    if (!command.startsWith('audit ')) return;
    for (const entry of JSON.parse(stdout) as AuditEntry[]) {
      seen.set(JSON.stringify(entry), entry);
      const account = accountOf(entry);
      if (account) named.add(account);
    }
  }

  async function enter(command: string, account?: string, named: Values = {}): Promise<void> {
    if (command.includes('<passkey>') && !named['passkey']) {
      for (const name of passkeys) await enter(command, account, { passkey: [name] });
      return;
    }
    const isPassword = command.startsWith('account password');
    if (isPassword && account && machines.has(account)) return;
    const values: Values = {
      time: [time],
      ...named,
      ...(issuer && { issuer: [issuer] }),
      ...(account && {
        account: [account],
        machine: [account],
        role: added(account, 'roles'),
        team: added(account, 'teams'),
        app: added(account, 'apps'),
      }),
    };
    const words = wordsOf(command, values);
    // No membership is left for its options.
    if (command.includes('<role>') && words.length <= 3) return;
    const prompts = Object.entries(PROMPTS).flatMap(([start, options]) =>
      command.startsWith(start) ? options : [],
    );
    const input = isPassword ? newPassword(account ?? '') : '';
    const { code, stdout, stderr } = await run([...words, ...prompts], input);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr || stdout}`);
    if (input && account) passwords.set(account, input);
    learn(command, stdout, account);
  }

  const forAll = async ({ commands }: Step, all: Iterable<string>) => {
    for (const account of all) for (const command of commands) await enter(command, account);
  };

  const forKeys = async ({ commands }: Step, kids: readonly string[]) => {
    for (const kid of kids) for (const command of commands) await enter(command, undefined, { kid: [kid] });
  };

  const rounds: Readonly<Record<NonNullable<Step['each']>, (step: Step) => Promise<void>>> = {
    named: async (step) => {
      for (let before = -1; before < seen.size; ) {
        before = seen.size;
        await forAll(step, named);
        await settled();
      }
    },
    created: (step) => forAll(step, created()),
    others: (step) =>
      forAll(
        step,
        [...named].filter((account) => !created().includes(account)),
      ),
    locked: (step) => forAll(step, [...named].filter(isLocked)),
    revoked: (step) => forAll(step, [...named].filter(hasRevoked)),
    chosen: (step) => forAll(step, accounts),
    passkeys: (step) => forAll(step, accounts.slice(0, 1)),
    keys: (step) => forKeys(step, keys),
    resourceKeys: (step) => forKeys(step, resourceKeys),
    trusts: async ({ commands }) => {
      for (const trust of trusts)
        for (const command of commands) await enter(command, accounts[0], { trust: [trust] });
    },
  };

  await settled();
  for (const step of steps) {
    if (step.each) await rounds[step.each](step);
    else for (const command of step.commands) await enter(command, accounts[0]);
  }
  return { named: [...named], created: created(), passwords };
}
