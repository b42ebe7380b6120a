import { useState } from 'preact/hooks';
import { rejectedLine, rejectsHead } from '../../../account/file/rejects.ts';
import type { CoreAccountError, RequestOptions } from '../../../client/index.ts';
import { SEPARATORS, type Separator } from '../../../text/csv.ts';
import { foldCase } from '../../../text/fold-case.ts';
import { type Action, Acts } from '../act.tsx';
import { Button } from '../button.tsx';
import { save, saveCsv } from '../download.tsx';
import { Field, type Fields } from '../form.tsx';
import { checkLines, readLines } from '../import-file.ts';
import { Pending } from '../listing.tsx';
import { useLoss } from '../notice.tsx';
import { count, Hours, inviteOf, Lines, Tally, useWork } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { client } from '../session.ts';
import { PageTitle } from '../title.tsx';

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

type Line = Awaited<ReturnType<typeof checkLines>>[number];

/** Outcome of one line of an import, with the person that it is about: the columns of the report. */
interface Result {
  readonly line: number;
  readonly username: string;
  readonly user_first_name: string | undefined;
  readonly user_last_name: string | undefined;
  readonly outcome: string;
  readonly code: string | undefined;
}

/** Username and name. */
const personOf = ({ username, user_first_name = '', user_last_name = '' }: Result) =>
  [username, `${user_first_name} ${user_last_name}`.trim()].filter(Boolean).join(', ');

/** Outcomes in words, by the codes of refusals. */
const OUTCOMES: Readonly<Record<string, string>> = {
  account_exists: 'existed',
  step_up_required: 'not confirmed with a passkey',
};

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

interface ReportProps {
  readonly results: readonly Result[];
  readonly separator: Separator | undefined;
  /** The lines that were not imported, with their faults, and the name of their file. */
  readonly rejects: { readonly name: string; readonly lines: readonly Line[] };
}

/** Report of an import: the people, with the one-time codes, which are shown only here. */
function Report({ results, separator, rejects }: ReportProps) {
  const [isSaved, setSaved] = useState(false);
  const hasCodes = results.some(({ code }) => code);
  useLoss(
    hasCodes && !isSaved
      ? 'You have not downloaded the report: closing it loses the one-time codes. Within 24 hours, an import of the same file with the same hours in this browser shows them again.'
      : '',
  );
  const download = async () => setSaved(await saveCsv('import.csv', [{ items: results }], { separator }));
  return (
    <>
      <Tally of={results} />
      <p>
        The report has the username, the name and the outcome of each line
        {hasCodes && ', and the one-time codes. They are shown only once: download it before you close this'}.
      </p>
      <Faults
        of={results
          .filter(({ outcome }) => !DONE.includes(outcome))
          .map((result) => `Line ${result.line}: ${personOf(result)}: ${result.outcome}.`)}
      />
      <div class="row">
        <Button onClick={download}>Download report</Button>
        {rejects.lines.length > 0 && (
          <Button onClick={() => saveRejects(rejects.name, rejects.lines)}>
            {`Download ${rejects.lines.length} not imported`}
          </Button>
        )}
      </div>
    </>
  );
}

/** Saves lines with their faults, by the name of the file that they are from. */
const saveRejects = (name: string, lines: readonly Line[]) =>
  save(
    name.replace(/(\.\w+)?$/, '-faults$1'),
    lines.map((line, index) => (index === 0 ? rejectsHead(line) : '') + rejectedLine(line)),
  );

/** Creates the accounts of a file. A line has the same key in each attempt, so that it creates one account. */
export function Import() {
  const [file, setFile] = useState<File>();
  const checked = useQuery(async () => file && check(file), [file]);
  const [onEach, progress] = useWork();
  // A new file replaces the one before, even if it cannot be checked.
  const { hash, lines = [] } = (!checked.error && checked.data) || {};
  const wrong = lines.filter(({ errors }) => errors.length > 0);
  const right = lines.filter(({ errors }) => errors.length === 0);
  const isWhole = wrong.some(({ text }) => text === undefined);
  const separator = Object.entries(SEPARATORS).find(([, each]) => each === lines[0]?.head?.separator)?.[0];
  const run = async (fields: Fields, { signal }: RequestOptions) => {
    const create = async ({ line, value }: Line, isStopped: boolean): Promise<Result> => {
      const { username, user_first_name, user_last_name } = value;
      const person = { line, username, user_first_name, user_last_name };
      const result = (outcome: string, code?: string) => ({ ...person, outcome, code });
      // A request that was sent is awaited: its answer has the only code.
      if (isStopped) return result('not sent');
      const idempotencyKey = `${hash}-${line}-${fields['hours']}`;
      return client.account.create({ ...value, ...inviteOf(fields) }, { idempotencyKey }).then(
        ({ code }) => result('created', code),
        ({ code }: CoreAccountError) => result(OUTCOMES[code] ?? code),
      );
    };
    const results = await onEach(right, create, signal);
    const refused = right.flatMap((line, index) => {
      const { outcome = '' } = results[index] ?? {};
      const message = outcome === 'existed' ? 'An account with this username exists' : outcome;
      return outcome === 'created' ? [] : [{ ...line, errors: [{ field: '', message }] }];
    });
    const rejects = {
      name: file?.name ?? '',
      lines: [...wrong, ...refused].toSorted((one, two) => one.line - two.line),
    };
    return <Report results={results} separator={separator as Separator | undefined} rejects={rejects} />;
  };
  const action: Action = {
    label: wrong.length > 0 ? `Import ${right.length} without faults` : 'Import',
    text: `Creates ${count(right)}. Accounts that exist stay as they are.`,
    isDue: right.length > 0 && !checked.isLoading,
    run,
    children: [
      <Hours key="hours" hint="Empty: no codes. With them, the report is their only list." />,
      progress,
    ],
  };
  return (
    <>
      <PageTitle title="Import" />
      <div class="card">
        <Field
          label="File"
          name="file"
          type="file"
          accept=".csv,.tsv,.txt,.jsonl"
          // A corrected file of the same name is a change, too.
          onClick={({ currentTarget }) => Object.assign(currentTarget, { value: '' })}
          onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
          hint="CSV in UTF-8 with column names in the first line, such as username,user_first_name,roles,teams, or a JSON object a line. Spaces separate names in a cell. Nothing is written before you import."
        />
        <Pending {...checked} isLoading={checked.isLoading && file !== undefined} />
        {hash && (
          <p role="status">
            {isWhole ? 'The file cannot be read.' : `${count(lines)}, ${wrong.length} with faults.`}
          </p>
        )}
        {wrong.length > 0 && (
          <p>
            {right.length > 0
              ? 'You can import the others now. Download the lines with faults, correct them, and import that file.'
              : 'Nothing can be imported: correct the file, and choose it again.'}
          </p>
        )}
        <Faults
          of={wrong.flatMap(({ line, errors }) =>
            errors.map(({ field, message }) => `Line ${line}${field && `, ${field}`}: ${message}.`),
          )}
        />
        <div class="row">
          {file && wrong.length > 0 && !isWhole && (
            <Button
              onClick={() => saveRejects(file.name, wrong)}
            >{`Download ${wrong.length} with faults`}</Button>
          )}
          <Acts of={[action]} />
        </div>
      </div>
    </>
  );
}
