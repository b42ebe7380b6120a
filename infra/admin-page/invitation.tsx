import { Copy } from './copy.tsx';
import { Once } from './parts.tsx';
import { hrefTo } from './place.ts';
import { useInstance } from './session.ts';
import { exactly } from './time.tsx';

interface InvitationProps {
  readonly username: string;
  /** How to call the person. */
  readonly name: string;
  readonly code: string;
  /** When the code ends. */
  readonly ends: string;
}

/** Address of the page where a person sets a password with a one-time code. */
export const addressFor = (username: string) => new URL(hrefTo('code', { username }), location.href).href;

/** A one-time code, with what to do with it. */
export function Invitation({ username, name, code, ends }: InvitationProps) {
  const instance = useInstance();
  const [address, end] = [addressFor(username), exactly(new Date(ends))];
  const message = `${name}, set your password for ${instance}:\n${address}\nUsername: ${username}\nOne-time code: ${code}\nThe code works once, until ${end}.`;
  return (
    <>
      <Once label="One-time code" value={code} />
      <h3>What is next</h3>
      <ol>
        <li>
          Give the code to{' '}
          <strong>
            <bdi>{name}</bdi>
          </strong>{' '}
          and to no one else: who has it can set the password.
        </li>
        <li>
          With it, they set a password at <a href={address}>{address}</a>
        </li>
        <li>
          The code works once, until {end}. After that, create another one on the screen of the account.
        </li>
      </ol>
      <Copy of={message} label="Copy as a message" />
    </>
  );
}
