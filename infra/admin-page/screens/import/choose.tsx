import { useState } from 'preact/hooks';
import { MAX_CODE_HOURS } from '#lib/account/maxima';
import { Field } from '../../form.tsx';
import { checkFile } from '../../import/check.ts';
import { Pending } from '../../listing.tsx';
import { useQuery } from '../../query.ts';
import { PageTitle } from '../../title.tsx';
import { Columns, Template } from './columns.tsx';
import { Preview } from './preview.tsx';

/** Prepares an import: the template, the file, and what would be imported. */
export function Choose() {
  const [file, setFile] = useState<File>();
  const checked = useQuery(async () => file && checkFile(file), [file]);
  // A new file replaces the one before, even if it cannot be checked.
  const data = checked.error || checked.isLoading ? undefined : checked.data;
  return (
    <>
      <PageTitle
        title="Import people"
        note="Creates the accounts of many people from a spreadsheet. Accounts that exist stay as they are."
      />
      <details class="card" open={file === undefined}>
        <summary>
          <h2>1. Prepare a file</h2>
        </summary>
        <p>
          Download the template, and replace its example by one row for each person. A file of another service
          may keep its names of columns.
        </p>
        <Template />
        <Columns />
      </details>
      <section class="card">
        <h2>2. Choose the file</h2>
        <Field
          label="File"
          name="file"
          type="file"
          accept=".xlsx,.csv,.tsv,.txt,.jsonl"
          // A corrected file of the same name is a change, too.
          onClick={({ currentTarget }) => Object.assign(currentTarget, { value: '' })}
          onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
          hint="An Excel workbook (.xlsx), of which the first sheet is read; CSV or text of a spreadsheet, with commas, semicolons or tabs; or a JSON object a line. Nothing is written before you import."
        />
        <Pending {...checked} data={data} isLoading={checked.isLoading && file !== undefined} />
      </section>
      {data && <Preview key={data.hash} checked={data} hours={MAX_CODE_HOURS} />}
    </>
  );
}
