import type { RequestOptions } from '#lib/client/index';
import { dated, save } from '../download.tsx';
import { type Fields, Form } from '../form.tsx';
import { Section } from '../parts.tsx';
import { client } from '../session.ts';

/** Everything that the service stores about an account, as a file. */
export function AllData({ username }: { readonly username: string }) {
  const file = `${dated(username)}.json`;
  const download = async (_: Fields, options: RequestOptions) => {
    const first = await client.account.export({ username }, options);
    const audit = [...first.audit];
    for (let cursor = first.audit_next; cursor !== undefined; ) {
      const page = await client.account.export({ username, cursor }, options);
      audit.push(...page.audit);
      cursor = page.audit_next;
    }
    const whole = { ...first, audit, audit_truncated: undefined, audit_next: undefined };
    save(file, [JSON.stringify(whole, null, 2)], 'application/json');
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
          done={() => (
            <>
              Saved as <bdi>{file}</bdi>.
            </>
          )}
        />
      </div>
    </Section>
  );
}
