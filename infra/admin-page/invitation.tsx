import { invitation as t } from '#texts/invitation';
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

/**
 * The message that brings a person the code.
 *
 * @param owner name of the organisation
 */
export const messageOf = ({ username, ends, ...rest }: InvitationProps, owner: string) =>
  t.message({ ...rest, owner, username, address: addressFor(username), end: exactly(new Date(ends)) });

/** A one-time code, with what to do with it. */
export function Invitation(invitation: InvitationProps) {
  const { username, name, code, ends } = invitation;
  const owner = useInstance();
  const address = addressFor(username);
  return (
    <>
      <Once label={t.code} value={code} />
      <h3>{t.next}</h3>
      <ol>
        <li>
          {t.give(
            <strong>
              <bdi>{name}</bdi>
            </strong>,
          )}
        </li>
        <li>{t.address(<a href={address}>{address}</a>)}</li>
        <li>{t.end(exactly(new Date(ends)))}</li>
      </ol>
      <Copy of={messageOf(invitation, owner)} label={t.copy} />
    </>
  );
}
