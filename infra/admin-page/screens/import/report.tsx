import { useState } from 'preact/hooks';
import { csvLine, SEPARATORS } from '#lib/text/csv';
import { Button } from '../../button.tsx';
import { dated, type FileFormat, FORMATS, saveTable } from '../../download.tsx';
import { Field, type Fields, Form } from '../../form.tsx';
import { Icon } from '../../icon.tsx';
import type { Line } from '../../import/line.ts';
import { dismiss, hasCodes, keep, type Result, type Run } from '../../import/run.ts';
import { addressFor } from '../../invitation.tsx';
import type { Column } from '../../listing.tsx';
import { When } from '../../time.tsx';
import { people } from './preview.tsx';
import { faultText, isWorkbook, rejectsOf, saveRejects } from './rejects.ts';
import { Rows } from './rows.tsx';

type Answered = Line & Result;

const answeredIn = ({ right, results }: Run): Answered[] =>
  right.flatMap((line) => {
    const result = results.get(line.line);
    return result ? [{ ...line, ...result, errors: result.errors ?? [] }] : [];
  });

const nameOf = ({ user_first_name = '', user_last_name = '', username }: Line['value']) =>
  `${user_first_name} ${user_last_name}`.trim() || username;

/** The columns of the file of results. */
const rowOf = ({ line, value, outcome, errors, code, ends }: Answered) => ({
  line,
  username: value.username,
  user_first_name: value.user_first_name,
  user_last_name: value.user_last_name,
  outcome: [outcome, ...errors.map(faultText)].join(': '),
  code,
  code_expires_at: ends,
  address: code && addressFor(value.username),
});

const PERSON: readonly Column<Line>[] = [
  { label: 'Name', cell: ({ value }) => <bdi>{nameOf(value)}</bdi> },
  { label: 'Username', cell: ({ value }) => <bdi>{value.username}</bdi> },
];

const CREATED: readonly Column<Answered>[] = [
  ...PERSON,
  { label: 'One-time code', cell: ({ code }) => code && <code>{code}</code> },
];

const REJECTED: readonly Column<Line>[] = [
  { label: 'Line', cell: ({ line }) => line.toLocaleString('en') },
  ...PERSON,
  { label: 'Reason', cell: ({ errors }) => errors.map(faultText).join('; ') },
];

/** A cell without its quotation marks where they have no use, since people also paste into messages. */
function cellOf(text = ''): string {
  const cell = csvLine([text]).trimEnd();
  return text.includes('"') ? cell : cell.slice(1, -1);
}

/** Copies the names with the codes, as cells of a spreadsheet. */
function Copy({ of }: { readonly of: readonly Answered[] }) {
  const [status, setStatus] = useState('');
  const copy = () => {
    const lines = of.map(({ value, code }) => [nameOf(value), value.username, code].map(cellOf).join('\t'));
    const copied = () => {
      setStatus(`${of.length.toLocaleString('en')} copied`);
      keep();
    };
    navigator.clipboard
      .writeText(lines.join('\n'))
      .then(copied, () => setStatus('The browser cannot copy: download the codes.'));
  };
  return (
    <>
      <Button onClick={copy}>
        <Icon of="copy" />
        Copy codes
      </Button>
      <span role="status">{status}</span>
    </>
  );
}

/** Closes the import; before it loses codes, it warns once. */
function Close({ isLosing }: { readonly isLosing: boolean }) {
  const [isWarned, setWarned] = useState(false);
  const isWarning = isWarned && isLosing;
  return (
    <section class="part">
      {isWarning && (
        <p role="alert" class="error">
          You have neither copied nor downloaded the codes: closing the import loses them. Within 24 hours, an
          import of the same file with the same hours in this browser shows them again.
        </p>
      )}
      <Button
        class={isWarning ? 'danger' : undefined}
        onClick={() => (isLosing && !isWarned ? setWarned(true) : dismiss())}
      >
        {isWarning ? 'Close all the same' : 'Close the import'}
      </Button>
    </section>
  );
}

/** What an import has done so far: the people with their codes, and the rows that created no one. */
export function Report({ run }: { readonly run: Run }) {
  const answered = answeredIn(run);
  const created = answered.filter(({ outcome }) => outcome === 'created');
  const rejects = rejectsOf(run);
  const codes = hasCodes(run);
  const [format] = isWorkbook(run.name)
    ? ['xlsx']
    : (Object.entries(SEPARATORS).find(([, each]) => each === run.lines[0]?.head?.separator) ?? []);
  const download = async (fields: Fields) => {
    await saveTable(dated('import'), [{ items: answered }], {
      format: fields['format'] as FileFormat,
      rowOf,
    });
    keep();
  };
  return (
    <>
      <section class="card">
        <h2>{`${people(created.length)} imported`}</h2>
        {codes && (
          <p>
            Give each code to its owner and to no one else: with it, they set a password at{' '}
            <a href={addressFor('')}>{addressFor('')}</a>. Each works once
            {created[0]?.ends && (
              <>
                , until <When of={created[0].ends} />
              </>
            )}
            . The codes are shown only here: copy or download them before you close the import.
          </p>
        )}
        {answered.length > 0 && (
          <div class="row">
            {codes && <Copy of={created} />}
            <Form submit={codes ? 'Download codes' : 'Download list'} onSubmit={download} class="download">
              <Field label="Format" name="format" options={FORMATS} defaultValue={format} />
            </Form>
          </div>
        )}
        {created.length > 0 && (
          <Rows
            label="Imported people"
            columns={codes ? CREATED : PERSON}
            of={created}
            keyOf={({ line }) => line}
          />
        )}
      </section>
      {rejects.length > 0 && (
        <section class="card">
          <h2>{`${people(rejects.length)} not imported`}</h2>
          <p>Download the rows with the reason of each, correct them, and import that file.</p>
          <div class="row">
            <Button onClick={() => saveRejects(run.name, rejects)}>
              {`Download ${rejects.length.toLocaleString('en')} not imported`}
            </Button>
          </div>
          <Rows label="Not imported" columns={REJECTED} of={rejects} keyOf={({ line }) => line} />
        </section>
      )}
      <Close isLosing={codes && !run.isSaved} />
    </>
  );
}
