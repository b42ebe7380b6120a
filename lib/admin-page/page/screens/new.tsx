import { useState } from 'preact/hooks';
import type { CoreAccountError, RequestOptions } from '../../../client/index.ts';
import { foldCase } from '../../../text/fold-case.ts';
import { type Action, Acts } from '../act.tsx';
import { Button } from '../button.tsx';
import { saveCsv } from '../download.tsx';
import { Field, type Fields } from '../form.tsx';
import { checkLines, readLines } from '../import-file.ts';
import { Pending } from '../listing.tsx';
import { count, Hours, Lines, Once, Section, Tally, useWork } from '../parts.tsx';
import { go, hrefTo } from '../place.ts';
import { useQuery } from '../query.ts';
import { client } from '../session.ts';
import { AccessFields, addedIn, changesIn, ProfileFields } from './profile.tsx';

/** Checks a file as far as that needs no account; the service reports accounts that exist. */
async function check(file: File) {
  // The keys encrypt one-time codes in the table. A file can be guessed, this browser's part of its keys cannot.
  localStorage['import'] ??= crypto.randomUUID();
  const keyed = new Blob([localStorage['import'], file]);
  const digest = await crypto.subtle.digest('SHA-256', await keyed.arrayBuffer());
  const teams = new Set<string>();
  for await (const { team_short } of client.team.browse({ limit: 1000 })) teams.add(foldCase(team_short));
  const lines = await checkLines(readLines(file.name, new Uint8Array(await file.arrayBuffer())), teams);
  return { hash: new Uint32Array(digest).join('-'), lines };
}

/** Outcome of one line of an import. */
type Result = { line: number; username: string; outcome: string; code: string | undefined };

/** The outcomes that are no fault. */
const DONE = ['created', 'existed'];

/** Faults of lines, by their numbers: the first thousand, since a browser needs seconds for tens of thousands. */
const Faults = ({ of }: { of: readonly string[] }) =>
  of.length > 0 && (
    <Lines label="Faults">
      {of.slice(0, 1000).map((fault) => (
        <li key={fault}>{fault}</li>
      ))}
    </Lines>
  );

/** Form field to body: a one-time code where hours are given. */
const inviteOf = ({ hours }: Fields) => (hours ? { invite_hours: Number(hours) } : {});

/** Report of an import, with the one-time codes, which are shown only here. */
const Report = ({ results }: { results: readonly Result[] }) => (
  <>
    <Tally of={results} />
    {results.some(({ code }) => code) && (
      <p>The report has the one-time codes. They are shown only once: download it before you close this.</p>
    )}
    <Faults
      of={results
        .filter(({ outcome }) => !DONE.includes(outcome))
        .map(({ line, username, outcome }) => `Line ${line}: ${username}: ${outcome}.`)}
    />
    <Button onClick={() => saveCsv('import.csv', [{ items: results }])}>Download report</Button>
  </>
);

/** Creates the accounts of a file. A line has the same key in each attempt, so that it creates one account. */
function Import() {
  const [file, setFile] = useState<File>();
  const checked = useQuery(async () => file && check(file), [file]);
  const [onEach, progress] = useWork();
  // A new file replaces the one before, even if it cannot be checked.
  const { hash, lines = [] } = (!checked.error && checked.data) || {};
  const wrong = lines.filter(({ errors }) => errors.length > 0);
  const run = async (fields: Fields, { signal }: RequestOptions) => {
    const results = await onEach(lines, async ({ line, value }): Promise<Result> => {
      const result = (outcome: string, code?: string) => ({ line, username: value.username, outcome, code });
      // A request that was sent is awaited: its answer has the only code.
      if (signal?.aborted) return result('not sent');
      const idempotencyKey = `${hash}-${line}-${fields['hours']}`;
      return client.account.create({ ...value, ...inviteOf(fields) }, { idempotencyKey }).then(
        ({ code }) => result('created', code),
        ({ code }: CoreAccountError) => result(code === 'account_exists' ? 'existed' : code),
      );
    });
    return <Report results={results} />;
  };
  const action: Action = {
    label: 'Import',
    text: `Creates ${count(lines)}. Accounts that exist stay as they are.`,
    isDue: lines.length > 0 && wrong.length === 0 && !checked.isLoading,
    run,
    children: [
      <Hours key="hours" hint="Empty: no codes. With them, the report is their only list." />,
      progress,
    ],
  };
  return (
    <Section title="Import">
      <div class="card">
        <Field
          label="File"
          name="file"
          type="file"
          accept=".csv,.jsonl"
          // A corrected file of the same name is a change, too.
          onClick={({ currentTarget }) => Object.assign(currentTarget, { value: '' })}
          onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
          hint="CSV with column names in the first line, such as username,user_first_name,roles,teams, or a JSON object a line. Spaces separate names in a cell. Nothing is written before you import."
        />
        <Pending {...checked} isLoading={checked.isLoading && file !== undefined} />
        {hash && (
          <p role="status">
            {count(lines)}, {wrong.length} with faults.
          </p>
        )}
        <Faults
          of={wrong.flatMap(({ line, errors }) =>
            errors.map(({ field, message }) => `Line ${line}${field && `, ${field}`}: ${message}.`),
          )}
        />
        <Acts of={[action]} />
      </div>
    </Section>
  );
}

const create: Action = {
  label: 'Create account',
  text: 'It has no password: its owner sets one on the login page, with a one-time code.',
  children: (
    <>
      <Field label="Username" name="username" required spellcheck={false} autocomplete="off" />
      <ProfileFields />
      <AccessFields />
      <Hours hint="Empty: no code" />
    </>
  ),
  run: async (fields, options) => {
    const { username = '' } = fields;
    const access = Object.entries(addedIn(fields)).filter(([, names]) => names.length > 0);
    const account = { username, ...changesIn(fields), ...Object.fromEntries(access), ...inviteOf(fields) };
    const { code } = await client.account.create(account, options);
    go(hrefTo('account', { username }));
    return code && <Once label="One-time code" value={code} />;
  },
};

/** The screen that creates one account, or those of a file. */
export const NewAccount = () => (
  <>
    <Acts of={[create]} />
    <Import />
  </>
);
