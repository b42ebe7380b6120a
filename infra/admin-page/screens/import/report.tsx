import { useState } from 'preact/hooks';
import { csvLine, SEPARATORS } from '#lib/text/csv';
import { imports as t } from '#texts/imports';
import { Button } from '../../button.tsx';
import { dated, type FileFormat, FORMATS, saveTable } from '../../download.tsx';
import { Field, type Fields, Form } from '../../form.tsx';
import { Icon } from '../../icon.tsx';
import type { Line } from '../../import/line.ts';
import { dismiss, hasCodes, keep, type Result, type Run } from '../../import/run.ts';
import { addressFor } from '../../invitation.tsx';
import type { Column } from '../../listing.tsx';
import { number } from '../../locale.ts';
import { Time, When } from '../../time.tsx';
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
  outcome: [t.outcomes[outcome], ...errors.map(faultText)].join(': '),
  code,
  code_expires_at: ends,
  address: code && addressFor(value.username),
});

const PERSON: readonly Column<Line>[] = [
  { label: t.name, cell: ({ value }) => <bdi>{nameOf(value)}</bdi> },
  { label: t.username, cell: ({ value }) => <bdi>{value.username}</bdi> },
];

const CREATED: readonly Column<Answered>[] = [
  ...PERSON,
  {
    label: t.code,
    cell: ({ code, since }) =>
      code ? <code>{code}</code> : since && <span class="faint">{t.codeGone(<Time of={since} />)}</span>,
  },
];

const REJECTED: readonly Column<Line>[] = [
  { label: t.lineColumn, cell: ({ line }) => number(line) },
  ...PERSON,
  { label: t.reason, cell: ({ errors }) => errors.map(faultText).join('; ') },
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
      setStatus(t.copied(of.length));
      keep();
    };
    navigator.clipboard.writeText(lines.join('\n')).then(copied, () => setStatus(t.cannotCopy));
  };
  return (
    <>
      <Button onClick={copy}>
        <Icon of="copy" />
        {t.copyCodes}
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
          {t.loss}
        </p>
      )}
      <Button
        class={isWarning ? 'danger' : undefined}
        onClick={() => (isLosing && !isWarned ? setWarned(true) : dismiss())}
      >
        {isWarning ? t.closeAllTheSame : t.close}
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
  const { ends } = created.find(({ code }) => code) ?? {};
  const [format] = isWorkbook(run.name)
    ? ['xlsx']
    : (Object.entries(SEPARATORS).find(([, each]) => each === run.lines[0]?.head?.separator) ?? []);
  const download = async (fields: Fields) => {
    await saveTable(dated(t.fileName), [{ items: answered }], {
      format: fields['format'] as FileFormat,
      rowOf,
    });
    keep();
  };
  return (
    <>
      <section class="card">
        <h2>{t.imported(created.length)}</h2>
        {codes && (
          <p>
            {t.give(
              <a key="address" href={addressFor('')}>
                {addressFor('')}
              </a>,
              ends && t.until(<When key="end" of={ends} />),
            )}
          </p>
        )}
        {answered.length > 0 && (
          <div class="row">
            {codes && <Copy of={created.filter(({ code }) => code)} />}
            <Form submit={codes ? t.downloadCodes : t.downloadList} onSubmit={download} class="download">
              <Field label={t.format} name="format" options={FORMATS} defaultValue={format} />
            </Form>
          </div>
        )}
        {created.length > 0 && <p class="faint">{t.undo}</p>}
        {created.length > 0 && (
          <Rows
            label={t.importedLabel}
            columns={codes || created.some(({ since }) => since) ? CREATED : PERSON}
            of={created}
            keyOf={({ line }) => line}
          />
        )}
      </section>
      {rejects.length > 0 && (
        <section class="card">
          <h2>{t.notImported(rejects.length)}</h2>
          <p>{t.notImportedText}</p>
          <div class="row">
            <Button onClick={() => saveRejects(run.name, rejects)}>
              {t.downloadNotImported(rejects.length)}
            </Button>
          </div>
          <Rows label={t.notImportedLabel} columns={REJECTED} of={rejects} keyOf={({ line }) => line} />
        </section>
      )}
      <Close isLosing={codes && !run.isSaved} />
    </>
  );
}
