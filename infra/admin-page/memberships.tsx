import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { namesIn } from '#lib/account/file/cells';
import type { Account } from '#lib/client/index';
import type { Role } from '#lib/contract/contract';
import { memberships as t } from '#texts/memberships';
import { type Choice, Combobox } from './combobox.tsx';
import { type Fields, useDraft } from './form.tsx';
import { Pending } from './listing.tsx';
import { compare } from './locale.ts';
import { Names } from './parts.tsx';
import { MOST, matching, Picker } from './picker.tsx';
import { useQuery } from './query.ts';
import { ADMINISTRATOR, client } from './session.ts';

const LABELS = t.labels;

export type Kind = keyof typeof LABELS;
export const KINDS = Object.entries(LABELS) as [Kind, string][];

/** The names of the roles, teams and applications of an account; teams by their short names. */
export type Lists = Readonly<Record<Kind, readonly string[]>>;

/** What an unknown name creates: only teams must exist. */
const CREATES: Readonly<Partial<Record<Kind, string>>> = t.creates;

const isOfService = (role: string): role is Role => Object.hasOwn(t.names, role);

/** How people call a role: those of the service have names of their own. */
export const roleName = (role: string) => (isOfService(role) ? t.names[role] : role);

/** The role that a text means, by its own name or by that which people call it. */
const roleFor = (text: string) => Object.keys(t.names).find((role) => roleName(role) === text) ?? text;

/** The roles of the service that machines cannot have. */
const PERSONAL: readonly string[] = ['sys_administrator', 'sys_tokens'] satisfies Role[];

/** Roles to choose from, with what those of the service permit, and their own names. */
export const roleChoices = (roles: readonly string[]): Choice[] =>
  roles.map((value) =>
    isOfService(value) ? { value, text: roleName(value), note: `${t.permits[value]} (${value})` } : { value },
  );

const eachKind = (namesOf: (kind: Kind) => readonly string[]) =>
  Object.fromEntries(KINDS.map(([kind]) => [kind, namesOf(kind)])) as Record<Kind, string[]>;

/** The names of the first list that the second lacks. */
const beyond = (names: readonly string[], others: readonly string[]) =>
  names.filter((name) => !others.includes(name));

/** The names in {@link MembershipFields} that an account lacks. */
export const addedIn = (fields: Fields, now?: Lists) =>
  eachKind((kind) => beyond(namesIn(fields[kind]), now?.[kind] ?? []));

export const removedIn = (fields: Fields, now: Lists) =>
  eachKind((kind) => beyond(now[kind], namesIn(fields[kind])));

/** Roles and applications of the accounts that the page has loaded; the service has no list of all. */
const seen = signal<Readonly<Record<'roles' | 'apps', ReadonlySet<string>>>>();

/** Offers the roles and applications of accounts that were loaded with their names. */
export function noteNames(accounts: readonly Pick<Account, 'role_names' | 'app_names'>[]) {
  if (accounts.length === 0) return;
  const { roles = [], apps = [] } = seen.value ?? {};
  seen.value = {
    roles: new Set([...roles, ...accounts.flatMap(({ role_names = [] }) => role_names)]),
    apps: new Set([...apps, ...accounts.flatMap(({ app_names = [] }) => app_names)]),
  };
}

/** Accounts whose names are read if the page has not loaded any. */
const FIRST = 50;

async function readNames(signal: AbortSignal) {
  if (seen.value) return;
  const page = await client.account.browse({ names: true, limit: FIRST }, { signal }).pages().next();
  noteNames(page.value?.items ?? []);
}

/** All teams, to choose from. */
export async function readTeams(signal: AbortSignal) {
  const teams: Choice[] = [];
  for await (const { team_short, team_name } of client.team.browse({}, { signal }))
    teams.push({ value: team_short, note: team_name });
  return teams;
}

/**
 * Names to choose from: all teams, the roles of the service, and other names that the page has seen in use.
 *
 * @param isForMachine whether a machine can have the roles
 */
export function useKnown(isForMachine = false) {
  const query = useQuery((signal) => Promise.all([readTeams(signal), readNames(signal)]), []);
  const { roles = [], apps = [] } = seen.value ?? {};
  const others = [...roles].filter((name) => !isOfService(name)).sort(compare);
  const known: Readonly<Record<Kind, readonly Choice[]>> = {
    roles: roleChoices([
      ...others,
      ...Object.keys(t.names).filter((name) => !(isForMachine && PERSONAL.includes(name))),
    ]),
    teams: query.data?.[0] ?? [],
    apps: [...apps].sort(compare).map((value) => ({ value })),
  };
  return { query, known };
}

interface PromotionProps {
  /** Who they are. */
  readonly of: string;
  readonly number?: number;
}

/** A box that must be checked before people become administrators. */
export const Promotion = ({ of, number = 1 }: PromotionProps) => (
  <label class="check">
    <input type="checkbox" name="is_administrator" required />
    <span>{t.promotion(of, number === 1)}</span>
  </label>
);

/** A field for one role, with those in use; any text can be typed. */
export function RoleField({ value, onType }: { value: string; onType: (role: string) => void }) {
  const { known } = useKnown();
  const [text, setText] = useState(roleName(value));
  const type = (next: string) => {
    setText(next);
    onType(roleFor(next.trim()));
  };
  const choices = matching(known.roles, text).filter((role) => role.value !== value);
  return (
    <>
      <Combobox
        label={t.role}
        name="role"
        required
        value={text}
        onType={type}
        choices={choices.slice(0, MOST)}
        onPick={(role) => type(roleName(role))}
      />
      {/* After the field of the same name: it is the one that counts. */}
      <input type="hidden" name="role" value={value} />
    </>
  );
}

interface MembershipProps {
  readonly kind: Kind;
  readonly known: ReturnType<typeof useKnown>['known'];
  /** The names that the account has; a change shows what it adds and removes. */
  readonly now?: readonly string[] | undefined;
}

/** A field for the roles, the teams or the applications of an account. */
export function MembershipField({ kind, known, now = [] }: MembershipProps) {
  const draft = useDraft(kind);
  const [names, setNames] = useState(draft === undefined ? now : namesIn(draft));
  const [added, removed] = [beyond(names, now), beyond(now, names)];
  const calls = kind === 'roles' ? roleName : String;
  const part = (label: string, some: readonly string[]) =>
    some.length > 0 && [label, <Names key={label} of={some.map(calls)} />];
  const creates = CREATES[kind];
  return (
    <>
      <Picker
        label={LABELS[kind]}
        name={kind}
        known={known[kind]}
        now={now}
        onChange={setNames}
        placeholder={t.search}
        {...(creates && { creates })}
        hint={
          now.length > 0 && (
            <span class="row" role="status">
              {part(t.adds, added)}
              {part(t.removes, removed)}
            </span>
          )
        }
      />
      {kind === 'roles' && added.includes(ADMINISTRATOR) && <Promotion of={t.thisPerson} />}
    </>
  );
}

/** Fields for the roles, teams and applications of an account. */
export function MembershipFields({
  now,
  isForMachine,
}: {
  readonly now?: Lists;
  readonly isForMachine?: boolean;
}) {
  const { query, known } = useKnown(isForMachine);
  return (
    <>
      {KINDS.map(([kind]) => (
        <MembershipField key={kind} kind={kind} known={known} now={now?.[kind]} />
      ))}
      <Pending {...query} isLoading={false} />
    </>
  );
}
