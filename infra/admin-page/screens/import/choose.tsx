import { useEffect } from 'preact/hooks';
import { SECRETS } from '#lib/account/file/columns';
import { MAX_CODE_HOURS } from '#lib/account/maxima';
import { imports as t } from '#texts/imports';
import { Button } from '../../button.tsx';
import { Field } from '../../form.tsx';
import { type Checked, checkFile } from '../../import/check.ts';
import { choose, chosen, keepChosen, restoreChosen } from '../../import/chosen.ts';
import { Pending } from '../../listing.tsx';
import { useQuery } from '../../query.ts';
import { PageTitle } from '../../title.tsx';
import { Columns, Template } from './columns.tsx';
import { Missing } from './missing.tsx';
import { Preview } from './preview.tsx';

const hasSecrets = ({ lines }: Checked) =>
  lines.some(({ value, head }) => SECRETS.some((name) => name in value || head?.columns.includes(name)));

/** Prepares an import: the template, the file, and what would be imported. */
export function Choose() {
  const file = chosen.value;
  useEffect(restoreChosen, []);
  const checked = useQuery(async () => file && checkFile(file), [file]);
  // A new file replaces the one before, even if it cannot be checked.
  const data = checked.error || checked.isLoading || !file ? undefined : checked.data;
  useEffect(() => {
    if (file && data && !hasSecrets(data)) keepChosen(file);
  }, [file, data]);
  return (
    <>
      <PageTitle title={t.title} note={t.note} />
      <details class="card" open={file === undefined}>
        <summary>
          <h2>{t.prepare}</h2>
        </summary>
        <p>{t.prepareText}</p>
        <Template />
        <Columns />
      </details>
      <section class="card">
        <h2>{t.choose}</h2>
        <Field
          label={t.file}
          name="file"
          type="file"
          accept=".xlsx,.csv,.tsv,.txt,.jsonl"
          // A corrected file of the same name is a change, too.
          onClick={({ currentTarget }) => Object.assign(currentTarget, { value: '' })}
          onChange={({ currentTarget }) => choose(currentTarget.files?.[0] ?? file)}
          hint={t.fileHint}
        />
        {file && (
          <p class="row">
            <span>{t.chosen(<bdi key="file">{file.name}</bdi>)}</span>
            <Button class="quiet" onClick={() => choose(undefined)}>
              {t.discard}
            </Button>
          </p>
        )}
        <Pending {...checked} of="lines" data={data} isLoading={checked.isLoading && file !== undefined} />
      </section>
      {data && <Missing checked={data} after={checked.reload} />}
      {data && <Preview key={data.hash} checked={data} hours={MAX_CODE_HOURS} />}
    </>
  );
}
