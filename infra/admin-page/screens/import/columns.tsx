import { type FileFormat, FORMATS, saveTable } from '../../download.tsx';
import { Field, type Fields, Form } from '../../form.tsx';
import { COLUMNS, EXAMPLE, type ImportColumn, KEY } from '../../import/columns.ts';
import { Disclosure } from '../../parts.tsx';

/** Saves the names of the columns with one row, for the spreadsheet of a language. */
export function Template() {
  const download = ({ format }: Fields) =>
    saveTable('import-template', [{ items: [EXAMPLE.row] }], { format: format as FileFormat });
  return (
    <Form submit="Download template" onSubmit={download} class="download">
      <Field label="Format" name="format" options={FORMATS} defaultValue="xlsx" />
    </Form>
  );
}

const Explained = ({ of, label }: { of: readonly ImportColumn[]; label: string }) => (
  <dl class="columns" aria-label={label}>
    {of.map(({ label: column, name, text }) => (
      <div key={name}>
        <dt>
          <strong>{column}</strong>
          {name === KEY && ' (required)'}
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
    <Explained label="Columns" of={COMMON} />
    <Disclosure title="More columns, and their names">
      <Explained label="More columns" of={OTHERS} />
      <p class="faint">
        Columns can have any order, and those that are not required can be left out. A list that was
        downloaded from People can be imported, too.
      </p>
    </Disclosure>
  </>
);
