import type { Account } from '../item/account.ts';
import type { CredentialLimits } from '../item/token.ts';
import type { Opening } from '../login/open-session.ts';
import type { VerifiedSession } from '../session/session-token.ts';
import type { updateAll } from '../table/write.ts';

/** A credential that a request has proven, before anything is issued for it. */
export interface Proven {
  readonly account: Account;
  readonly limits: CredentialLimits;
  /** Name of the API token, ID of the session, or trust as `<trust>@<machine>`. */
  readonly client: string;
  /** The same as records of sessions and the audit log have it. */
  readonly credential: string;
  /** End of the credential in seconds since the epoch, and of all that is issued for it; infinite without one. */
  readonly end: number;
  /** What opens a session; the session itself if it is the credential. */
  readonly opening:
    | Pick<Opening, 'token' | 'trust'>
    | { readonly session: VerifiedSession; readonly text: string };
  /** Writes that only one request with the credential survives. */
  readonly spending: Parameters<typeof updateAll>[1];
  /** Records the use of the credential, after what it gets is certain. */
  readonly record: () => Promise<unknown> | undefined;
}
