import type { RequestOptions } from '../../../client/index.ts';
import { dated, save } from '../download.tsx';
import { type Fields, Form } from '../form.tsx';
import { Section } from '../parts.tsx';
import { client } from '../session.ts';

/** Everything that the service stores about an account, as a file. */
export function AllData({ username }: { readonly username: string }) {
  const file = dated(username, 'json');
  const download = async (_: Fields, options: RequestOptions) => {
    const data = await client.account.export({ username }, options);
    save(file, [JSON.stringify(data, null, 2)], 'application/json');
    return data;
  };
  return (
    <Section title="Data">
      <div class="row">
        <p class="faint">
          Profile, access, tokens, sessions, passkeys and activity as one file, without secrets.
        </p>
        <Form
          submit="Download all data"
          class="download"
          onSubmit={download}
          done={(_, data) => (
            <>
              Saved as <bdi>{file}</bdi>.
              {(data as { audit_truncated?: true }).audit_truncated &&
                ' Of the activity it has the newest part.'}
            </>
          )}
        />
      </div>
    </Section>
  );
}
