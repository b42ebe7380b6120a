import { useRef, useState } from 'preact/hooks';
import { CoreAccountError } from '../../../client/index.ts';
import { Field, type Fields, Form } from '../form.tsx';
import { type Line, linesOf } from '../import-file.ts';
import { Pending } from '../listing.tsx';
import { type Action, Acts, Once, Section } from '../parts.tsx';
import { useQuery } from '../query.ts';
import type { Screen } from '../screen.ts';
import { client } from '../session.ts';
import { forEach } from './bulk.tsx';
import { line as csv, save } from './download.tsx';
import { AccessFields, accessIn, ProfileFields } from './profile.tsx';

const Invite = () => (
  <Field
    label="Hours of the invitation code"
    name="hours"
    type="number"
    min={1}
    max={72}
    hint="Empty: no code"
  />
);

const inviteOf = ({ hours }: Fields) => (hours ? { invite_hours: Number(hours) } : {});

const create: Action = {
  label: 'Create account',
  text: 'It has no password. With an invitation code, its owner sets one.',
  children: (
    <>
      <Field
        label="Username"
        name="username"
        required
        maxLength={128}
        spellcheck={false}
        autocomplete="off"
      />
      <ProfileFields />
      <AccessFields of="Give" />
      <Invite />
    </>
  ),
  run: async (fields, options) => {
    const filled = Object.entries(fields).filter(([name, value]) => value && /^(user|phone)/.test(name));
    const access = Object.entries(accessIn(fields, 'Give')).filter(([, names]) => names.length > 0);
    const account = { username: '', ...Object.fromEntries([...filled, ...access]), ...inviteOf(fields) };
    const { code } = await client.account.create(account, options);
    return code && <Once label="Invitation code" value={code} />;
  },
};

interface Checked {
  readonly hash: string;
  readonly lines: readonly Line[];
  /** Usernames that have an account. */
  readonly existing: ReadonlySet<string>;
}

/** The most lines with faults that are listed. */
const MAX_FAULTS = 1000;

/** Whether an account has the name. */
const exists = (username: string) =>
  client.account.profile({ username, pscope: ['user'] }).then(
    () => true,
    (error) => {
      if (error instanceof CoreAccountError && error.code === 'account_not_found') return false;
      throw error;
    },
  );

async function check(file: File): Promise<Checked> {
  const text = await file.text();
  const digest = [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))];
  const teams = new Set<string>();
  for await (const { team_short } of client.team.browse({ limit: 1000 })) teams.add(team_short.toLowerCase());
  const lines = linesOf(text, /\.csv$/i.test(file.name), teams);
  const names = lines.filter(({ faults }) => faults.length === 0).map(({ value }) => value.username);
  const held = await forEach(names, exists);
  return {
    hash: digest.map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    lines,
    existing: new Set(names.filter((_, index) => held[index])),
  };
}

/** What happened to a line. */
interface Result {
  readonly username: string;
  readonly result: string;
  readonly code?: string | undefined;
}

const DONE = ['created', 'existed'];

/** Creates the accounts of a file. A line has the same key in each attempt, so that it creates one account. */
function Import() {
  const [file, setFile] = useState<File>();
  const checked = useQuery(async () => file && check(file), [file]);
  const [results, setResults] = useState<ReadonlyMap<number, Result>>(new Map());
  const isStopped = useRef(false);
  const { hash, lines = [], existing } = checked.data ?? {};
  const wrong = lines.filter(({ faults }) => faults.length > 0);
  const count = (result: string) => [...results.values()].filter((each) => each.result === result).length;
  const send = async ({ line, value }: Line, fields: Fields): Promise<Result> => {
    const { username } = value;
    const input = { ...value, ...inviteOf(fields) };
    const idempotencyKey = `${hash}-${line}-${fields['hours']}`;
    return client.account.create(input, { idempotencyKey }).then(
      ({ code }) => ({ username, result: 'created', code }),
      (error: CoreAccountError) => ({
        username,
        result: error.code === 'account_exists' ? 'existed' : error.code,
      }),
    );
  };
  const start = async (fields: Fields) => {
    isStopped.current = false;
    const due = lines.filter(({ line }) => !DONE.includes(results.get(line)?.result ?? ''));
    await forEach(due, async (each) => {
      if (isStopped.current) return;
      const result = await send(each, fields);
      setResults((last) => new Map(last).set(each.line, result));
    });
  };
  const report = () => {
    const rows = [...results.values()].map(({ username, result, code }) => csv([username, result, code]));
    save(new Blob([csv(['username', 'result', 'code']), ...rows]), 'import.csv');
  };
  const choose = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    setResults(new Map());
    setFile(currentTarget.files?.[0]);
  };
  return (
    <Section title="Import">
      <div class="card">
        <Field
          label="File"
          name="file"
          type="file"
          accept=".csv,.jsonl"
          onChange={choose}
          hint="CSV with the names of the fields in its first line, or a JSON object a line. Nothing is written before you import."
        />
        <Pending {...checked} isLoading={checked.isLoading && file !== undefined} />
        {checked.data && (
          <p role="status">
            {lines.length} accounts: {existing?.size} exist and stay as they are, {wrong.length} have faults.
          </p>
        )}
        {wrong.length > 0 && (
          <ul class="report card">
            {wrong.slice(0, MAX_FAULTS).map(({ line, faults }) => (
              <li key={line}>
                Line {line}: {faults.map(({ field, message }) => `${field} ${message}`).join('. ')}.
              </li>
            ))}
          </ul>
        )}
        {lines.length > 0 && wrong.length === 0 && (
          <Form submit={results.size > 0 ? 'Import the rest' : 'Import'} onSubmit={start}>
            <Invite />
            <p role="status">
              {count('created')} created, {count('existed')} existed,{' '}
              {results.size - count('created') - count('existed')} refused.
            </p>
            <div class="row">
              <progress aria-label="Progress" max={lines.length} value={results.size} />
              <button
                type="button"
                onClick={() => {
                  isStopped.current = true;
                }}
              >
                Stop
              </button>
              <button type="button" onClick={report}>
                Download report
              </button>
            </div>
          </Form>
        )}
      </div>
    </Section>
  );
}

const NewAccount = () => (
  <>
    <Acts of={[create]} />
    <Import />
  </>
);

export const added: Screen = { id: 'new', title: 'Create and import', isListed: true, View: NewAccount };
