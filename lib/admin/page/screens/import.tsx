import { useEffect, useRef, useState } from 'preact/hooks';
import type { CoreAccountError } from '../../../client/index.ts';
import { foldCase } from '../../../fold-case.ts';
import { inParallel } from '../../../in-parallel.ts';
import { csvOf, save } from '../csv.ts';
import { Field, type Fields, Form } from '../form.tsx';
import { checkLines, type Line, readLines } from '../import-file.ts';
import { Pending } from '../listing.tsx';
import { count, Hours, Lines, Section } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { AT_ONCE, client } from '../session.ts';

/** The most lines with faults that are listed. */
const MAX_FAULTS = 1000;

/** Checks a file as far as that needs no account; the service reports accounts that exist. */
async function check(file: File) {
  const text = await file.text();
  const digest = [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))];
  const teams = new Set<string>();
  for await (const { team_short } of client.team.browse({ limit: 1000 })) teams.add(foldCase(team_short));
  const hash = digest.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { hash, lines: await checkLines(readLines(file.name, text), teams) };
}

/** What happened to a line. */
interface Result {
  readonly username: string;
  readonly result: string;
  readonly code: string | undefined;
}

/** The results of lines that another attempt leaves as they are. */
const DONE = ['created', 'existed'];

/** Form field to body: an invitation where hours are given. */
export const inviteOf = ({ hours }: Fields) => (hours ? { invite_hours: Number(hours) } : {});

/** Creates the accounts of a file. A line has the same key in each attempt, so that it creates one account. */
export function Import() {
  const [file, setFile] = useState<File>();
  const checked = useQuery(async () => file && check(file), [file]);
  const [results, setResults] = useState<ReadonlyMap<number, Result>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const isStopped = useRef(false);
  const stop = () => {
    isStopped.current = true;
  };
  useEffect(() => stop, []);
  const { hash, lines = [] } = checked.data ?? {};
  const wrong = lines.filter(({ errors }) => errors.length > 0);
  const due = lines.filter(({ line }) => !DONE.includes(results.get(line)?.result ?? ''));
  const numberOf = (name: string) => [...results.values()].filter(({ result }) => result === name).length;
  const [created, existed] = DONE.map(numberOf) as [number, number];
  const send = async ({ line, value }: Line, fields: Fields) => {
    const { username } = value;
    const idempotencyKey = `${hash}-${line}-${fields['hours']}`;
    const result = await client.account.create({ ...value, ...inviteOf(fields) }, { idempotencyKey }).then(
      ({ code }) => ({ username, result: 'created', code }),
      ({ code }: CoreAccountError) => ({
        username,
        result: code === 'account_exists' ? 'existed' : code,
        code: undefined,
      }),
    );
    setResults((last) => new Map(last).set(line, result));
  };
  const start = async (fields: Fields) => {
    isStopped.current = false;
    setRunning(true);
    await inParallel(due, async (line) => isStopped.current || send(line, fields), AT_ONCE);
    setRunning(false);
  };
  const report = async () => save(await csvOf([{ items: [...results.values()] }]), 'import.csv');
  const choose = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    setResults(new Map());
    setFile(currentTarget.files?.[0]);
  };
  const refused = [...results].filter(([, { result }]) => !DONE.includes(result));
  const faults = [
    ...wrong.flatMap(({ line, errors }) =>
      errors.map(({ field, message }) => `Line ${line}${field && `, ${field}`}: ${message}.`),
    ),
    ...refused.map(([line, { username, result }]) => `Line ${line}: ${username} was refused with ${result}.`),
  ];
  return (
    <Section title="Import">
      <div class="card">
        <Field
          label="File"
          name="file"
          type="file"
          accept=".csv,.jsonl"
          disabled={isRunning}
          // A corrected file of the same name is a change, too.
          onClick={({ currentTarget }) => Object.assign(currentTarget, { value: '' })}
          onChange={choose}
          hint="CSV whose first line names its columns, such as username,user_first_name,roles,teams, or a JSON object a line. Spaces separate names in a cell. Nothing is written before you import."
        />
        <Pending {...checked} isLoading={checked.isLoading && file !== undefined} />
        {checked.data && (
          <p role="status">
            {count(lines)}, {wrong.length} with faults. Accounts that exist stay as they are.
          </p>
        )}
        {due.length > 0 && wrong.length === 0 && !checked.isLoading && (
          <Form submit={results.size > 0 ? 'Import the rest' : 'Import'} onSubmit={start}>
            <Hours hint="Empty: no invitation codes. With them, the report is their only list." />
          </Form>
        )}
        {(isRunning || results.size > 0) && (
          <div class="row">
            <progress aria-label="Progress" max={lines.length} value={results.size} />
            <span role="status">
              {created} created, {existed} existed, {refused.length} refused.
            </span>
            {isRunning && (
              <button type="button" onClick={stop}>
                Stop
              </button>
            )}
            <button type="button" onClick={report}>
              Download report
            </button>
          </div>
        )}
        {faults.length > 0 && (
          <Lines label="Faults">
            {faults.slice(0, MAX_FAULTS).map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </Lines>
        )}
      </div>
    </Section>
  );
}
