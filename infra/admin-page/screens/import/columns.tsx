import { imports as t } from '#texts/imports';
import { type FileFormat, FORMATS, saveTable } from '../../download.tsx';
import { Field, type Fields, Form } from '../../form.tsx';
import { COLUMNS, EXAMPLE, type ImportColumn, KEY } from '../../import/columns.ts';
import { Disclosure } from '../../parts.tsx';

/** Saves the names of the columns with one row, for the spreadsheet of a language. */
export function Template() {
  const download = ({ format }: Fields) =>
    saveTable(t.template, [{ items: [EXAMPLE.row] }], { format: format as FileFormat });
  return (
    <Form submit={t.downloadTemplate} onSubmit={download} class="download">
      <Field label={t.format} name="format" options={FORMATS} defaultValue="xlsx" />
    </Form>
  );
}

const Explained = ({ of, label }: { of: readonly ImportColumn[]; label: string }) => (
  <dl class="columns" aria-label={label}>
    {of.map(({ label: column, name, text }) => (
      <div key={name}>
        <dt>
          <strong>{column}</strong>
          {name === KEY && t.required}
        </dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
);

const COMMON = COLUMNS.filter(({ example }) => example !== undefined);
const OTHERS = COLUMNS.filter(({ example }) => example === undefined);

/** What each column means. */
export const Columns = () => (
  <>
    <Explained label={t.columnsLabel} of={COMMON} />
    <Disclosure title={t.moreColumnsTitle}>
      <Explained label={t.moreColumns} of={OTHERS} />
      <p class="faint">{t.columnsNote}</p>
    </Disclosure>
  </>
);
