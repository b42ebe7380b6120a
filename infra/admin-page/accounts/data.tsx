import type { RequestOptions } from '#lib/client/index';
import { report as t } from '#texts/report';
import { dated, save } from '../download.tsx';
import { type Fields, Form } from '../form.tsx';
import { Section } from '../parts.tsx';
import { openReport, readAll } from './report.tsx';

/** Everything that the service stores about an account, as a document and as a file. */
export function AllData({ username }: { readonly username: string }) {
  const file = `${dated(username)}.json`;
  const show = async (_: Fields, options: RequestOptions) => openReport(await readAll(username, options));
  const download = async (_: Fields, options: RequestOptions) => {
    const whole = await readAll(username, options);
    save(file, [JSON.stringify(whole, null, 2)], 'application/json');
  };
  return (
    <Section title={t.heading}>
      <p class="faint">{t.text}</p>
      <div class="choices">
        <Form submit={t.open} class="download" onSubmit={show} done={() => t.ready} />
        <Form
          submit={t.download}
          class="download"
          onSubmit={download}
          done={() => t.saved(<bdi>{file}</bdi>)}
        />
      </div>
    </Section>
  );
}
