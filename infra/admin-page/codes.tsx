import { useState } from 'preact/hooks';
import { invitation as t } from '#texts/invitation';
import { Button } from './button.tsx';
import { dated, type FileFormat, FORMATS, saveTable } from './download.tsx';
import { Field, type Fields, Form } from './form.tsx';
import { Icon } from './icon.tsx';
import { addressFor, messageOf } from './invitation.tsx';
import { useInstance } from './session.ts';

/** A one-time code, with whom it is for. */
export interface Code {
  readonly name: string;
  readonly username: string;
  readonly code: string;
  /** When it ends. */
  readonly ends: string;
}

interface CodesProps {
  readonly of: readonly Code[];
  /** Called when the person has them all. */
  readonly onKept: () => void;
}

const rowOf = ({ name, username, code, ends }: Code) => ({
  name,
  username,
  code,
  code_expires_at: ends,
  address: addressFor(username),
});

/** What to do with one-time codes that are shown once: copy them as messages, or save them. */
export function Codes({ of, onKept }: CodesProps) {
  const owner = useInstance();
  const [status, setStatus] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(of.map((code) => messageOf(code, owner)).join('\n\n')).then(
      () => {
        setStatus(t.copied(of.length));
        onKept();
      },
      () => setStatus(t.cannotCopy),
    );
  const download = async ({ format }: Fields) => {
    await saveTable(dated(t.file), [{ items: of }], { format: format as FileFormat, rowOf });
    onKept();
  };
  return (
    <>
      <p>
        {t.giveAll(<a href={addressFor('')}>{addressFor('')}</a>)} {t.once}
      </p>
      <div class="row">
        <Button onClick={copy}>
          <Icon of="copy" />
          {t.copyAll}
        </Button>
        <span role="status">{status}</span>
        <Form submit={t.download} onSubmit={download} class="download">
          <Field label={t.format} name="format" options={FORMATS} defaultValue="xlsx" />
        </Form>
      </div>
    </>
  );
}
