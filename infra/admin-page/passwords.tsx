import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { CoreAccountError, type RequestOptions } from '#lib/client/index';
import { MAX_BYTES, MIN_BYTES } from '#lib/password/length';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failed } from './failed.tsx';
import { Field, type FieldProps, type Fields, Form, type FormProps } from './form.tsx';
import { addressWithName, hasPasskeys } from './passkey.ts';
import { hrefTo, usePlace } from './place.ts';
import { answer, asked } from './proof.ts';
import {
  ADMINISTRATOR,
  client,
  confirmWithPasskey,
  leave,
  logIn,
  logInWithPasskey,
  Me,
  noteSession,
  offerPasskeys,
  redeemCode,
  useInstance,
  useOwnName,
} from './session.ts';
import { useTitle } from './title.tsx';

const CODE = 'code';

const NAME = { label: 'Username', name: 'username', autocomplete: 'username', spellcheck: false };

/** A field for a password, which the page forgets after its use; it accepts pasted text. */
const Secret = ({ isNew, ...rest }: FieldProps & { isNew?: boolean }) => (
  <Field
    {...rest}
    type="password"
    autocomplete={isNew ? 'new-password' : 'current-password'}
    required
    data-secret
  />
);

/** What the service says of bytes, in words for people. */
const faultOf = (message: string) => {
  if (!message.includes(' bytes')) return message;
  return message.includes(' in addition to ')
    ? `Must have at least ${MIN_BYTES} characters besides your username and names`
    : `Must have at least ${MIN_BYTES} characters, and ${MAX_BYTES} at most: letters with accents and emoji count as several`;
};

const NewPassword = () => (
  <Secret
    label="New password"
    name="new_password"
    isNew
    hint={`At least ${MIN_BYTES} characters. Long beats complicated: several words are easy to remember and hard to guess.`}
    faultOf={faultOf}
  />
);

interface LogInProps extends Pick<FormProps, 'onBack'> {
  /** Of the person whose page waits for the login; anyone by default. */
  readonly username?: string;
  readonly onSubmit?: FormProps['onSubmit'];
}

const LogIn = ({ username, onSubmit = logIn, onBack }: LogInProps) => (
  <Form submit="Log in" refusal="The username or password is not valid." onSubmit={onSubmit} onBack={onBack}>
    <Field
      {...NAME}
      autocapitalize="none"
      required
      value={username}
      readOnly={username !== undefined}
      // A browser then offers passkeys in the list of the field.
      {...(username === undefined && { autocomplete: 'username webauthn', autofocus: true })}
    />
    <Secret label="Password" name="password" {...(username !== undefined && { autofocus: true })} />
  </Form>
);

/** Whether the service has refused a passkey. */
const isRefusal = (failure: unknown) =>
  failure instanceof CoreAccountError && failure.operation === 'account.passkey-assert';

/**
 * Logs in with a password or a passkey; the browser offers passkeys in the field until one of both is sent, and again after
 * that has failed. Some devices answer an offer by themselves, as fast as they get it: after a refused passkey, only the
 * button asks for one, or each offer would be a failed login.
 */
function EitherLogIn() {
  const [offer, setOffer] = useState(() => new AbortController());
  const [error, setError] = useState<unknown>();
  const isRefused = useRef(false);
  const note = (failure: unknown) => {
    isRefused.current ||= isRefusal(failure);
  };
  useEffect(() => {
    const { signal } = offer;
    offerPasskeys(signal).catch((failure) => {
      if (signal.aborted) return;
      note(failure);
      setError(failure);
    });
    return () => offer.abort();
  }, [offer]);
  /** A browser has one request for a passkey at a time. */
  const instead =
    (send: FormProps['onSubmit']): FormProps['onSubmit'] =>
    async (fields, options) => {
      offer.abort();
      setError(undefined);
      try {
        await send(fields, options);
      } catch (failure) {
        note(failure);
        if (!isRefused.current) setOffer(new AbortController());
        throw failure;
      }
    };
  return (
    <>
      <LogIn onSubmit={instead(logIn)} />
      <PasskeyLogIn onSubmit={instead((_, options) => logInWithPasskey(options))} />
      {error !== undefined && <Failed error={error} refusal={UNKNOWN_PASSKEY} />}
    </>
  );
}

const UNKNOWN_PASSKEY = 'This passkey was not accepted. Log in with your password.';

/** Where this page has to be for passkeys, if it is at an IP address. */
export const AtName = ({ children }: { children: ComponentChildren }) => (
  <a href={addressWithName()}>{children}</a>
);

/** Logs in by a passkey; nothing where the browser has none. */
function PasskeyLogIn({ onSubmit }: Pick<FormProps, 'onSubmit'>) {
  if (!hasPasskeys()) return null;
  return addressWithName() ? (
    <p class="other">
      <AtName>Log in with a passkey at localhost</AtName>
    </p>
  ) : (
    <Form submit="Log in with a passkey" refusal={UNKNOWN_PASSKEY} onSubmit={onSubmit} class="other" />
  );
}

/** Covers the dialog whose request needs a proof of the person, which stays as it is typed. */
export function Proof() {
  const username = useOwnName();
  const { proof } = asked.value ?? {};
  const back = () => answer(false);
  if (!proof) return null;
  if (proof === 'password')
    return (
      <Dialog title="Log in again" onEscape={back}>
        <p>
          Your first passkey needs a login with your password in the last five minutes. Your input is kept.
        </p>
        <LogIn
          username={username}
          onBack={back}
          onSubmit={(fields, options) => logIn(fields, options).then(() => answer(true))}
        />
      </Dialog>
    );
  return (
    <Dialog title="Confirm with your passkey" onEscape={back}>
      <Form
        submit="Use passkey"
        refusal="This passkey was not accepted. Use another one, or ask an administrator to remove it."
        onSubmit={(_, options) => confirmWithPasskey(options)}
        onBack={back}
        isReady
      >
        <p>
          Show with your fingerprint, face or PIN that it is you. The page asks again after five minutes. Your
          input is kept.
        </p>
        <p class="faint">
          Is its device lost? Another administrator removes the passkey; then create a new one.
        </p>
        {addressWithName() && (
          <p>
            Passkeys work at a name, not at the address {location.hostname}. Use{' '}
            <AtName>this page at localhost</AtName>.
          </p>
        )}
      </Form>
    </Dialog>
  );
}

/** What happened, and what is next: people without the role only had to set their password. */
const PasswordSet = () => (
  <>
    Your password is set, and you are logged in.
    {!useContext(Me)?.roles?.includes(ADMINISTRATOR) &&
      ' From now on, log in to your applications with it. You can close this page.'}
  </>
);

function RedeemCode() {
  const { username } = usePlace().state;
  return (
    <Form
      submit="Set password and log in"
      refusal="The username or code is not valid. A code works once, and for a limited time."
      onSubmit={redeemCode}
      done={() => <PasswordSet />}
    >
      <Field {...NAME} autocapitalize="none" required defaultValue={username} autofocus={!username} />
      <Field
        label="One-time code"
        name="code"
        autocomplete="one-time-code"
        autocapitalize="characters"
        hint="In the form XXXX-XXXX-XXXX. It works once."
        required
        autofocus={Boolean(username)}
        data-secret
      />
      <NewPassword />
    </Form>
  );
}

/** The page for people without a session. */
export function Entrance() {
  const hasCode = usePlace().screen === CODE;
  const title = hasCode ? 'Set your password' : 'Log in';
  useTitle(title);
  return (
    <main class="narrow">
      <p class="faint">{useInstance()}</p>
      <h1>{title}</h1>
      <div class="card">{hasCode ? <RedeemCode key={CODE} /> : <EitherLogIn />}</div>
      <p>
        <a href={hrefTo(hasCode ? '' : CODE)}>{hasCode ? 'Log in with a password' : 'Use a one-time code'}</a>
      </p>
    </main>
  );
}

/** Covers the page when the session has ended; waiting requests are sent after the login. */
export const LogInAgain = ({ username }: { username: string }) => (
  <Dialog title="Your session has ended" class="cover">
    <p>Log in again to continue. Your input is kept.</p>
    <LogIn username={username} />
    <PasskeyLogIn onSubmit={(_, options) => logInWithPasskey(options, username)} />
    <p>
      <Button class="quiet" onClick={leave}>
        Leave, and log in as another person
      </Button>
    </p>
  </Dialog>
);

/** Changes the password of the person. */
export function Password() {
  const username = useOwnName();
  const send = ({ current_password = '', new_password = '' }: Fields, options: RequestOptions) =>
    client.account
      .password({ current_password, new_password, createCookie: true }, options)
      .then(noteSession);
  return (
    <div class="card narrow">
      <p class="faint">All of your other sessions end. API tokens stay valid.</p>
      <Form
        submit="Change password"
        refusal="The current password is not valid."
        onSubmit={send}
        done={() => 'Your password is changed, and all of your other sessions have ended'}
      >
        {/* For password managers. */}
        <input class="hidden" autocomplete="username" value={username} readOnly tabIndex={-1} aria-hidden />
        <Secret label="Current password" name="current_password" />
        <NewPassword />
      </Form>
    </div>
  );
}
