import type { RequestOptions } from '#lib/client/index';
import { foldCase } from '#lib/text/fold-case';
import { imports as t } from '#texts/imports';
import { Field, type Fields, Form } from '../../form.tsx';
import type { Checked } from '../../import/check.ts';
import { client } from '../../session.ts';

/** Teams that lines name and that do not exist, as the first line writes them, with the number of their lines. */
function missingIn({ lines }: Checked) {
  const found = new Map<string, { short: string; lines: number }>();
  for (const short of lines.flatMap(({ missing = [] }) => missing)) {
    const team = found.get(foldCase(short)) ?? { short, lines: 0 };
    team.lines += 1;
    found.set(foldCase(short), team);
  }
  return [...found.values()];
}

interface MissingProps {
  readonly checked: Checked;
  /** Checks the file again. */
  readonly after: () => void;
}

/** Names each missing team once, and creates them. */
export function Missing({ checked, after }: MissingProps) {
  const missing = missingIn(checked);
  if (missing.length === 0) return null;
  const create = async (fields: Fields, options: RequestOptions) => {
    try {
      for (const { short } of missing)
        await client.team.create(
          { short, name: fields[`name ${short}`] ?? short, type: fields['type'] ?? t.defaultType },
          options,
        );
    } catch (error) {
      after();
      throw error;
    }
  };
  return (
    <section class="card">
      <h2>{t.missing}</h2>
      <p>{t.missingText(missing.length)}</p>
      <ul>
        {missing.map(({ short, lines }) => (
          <li key={short}>{t.missingTeam(<bdi key="short">{short}</bdi>, lines)}</li>
        ))}
      </ul>
      <Form
        class="narrow"
        submit={t.createTeams(missing.length)}
        onSubmit={(fields, options) => create(fields, options).then(after)}
        done={() => t.teamsCreated(missing.length)}
      >
        {missing.map(({ short }) => (
          <Field key={short} label={t.teamName(short)} name={`name ${short}`} defaultValue={short} required />
        ))}
        <Field label={t.teamType} name="type" defaultValue={t.defaultType} hint={t.teamTypeHint} required />
      </Form>
    </section>
  );
}
