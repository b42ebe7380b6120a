import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { CoreAccountError, type RequestOptions } from '#lib/client/index';
import { MIN_BYTES } from '#lib/password/length';
import { entrance as t } from '#texts/entrance';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failed } from './failed.tsx';
import { Field, type FieldProps, type Fields, Form, type FormProps } from './form.tsx';
import { Owner } from './owner.tsx';
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
  useOwnName,
} from './session.ts';
import { useTitle } from './title.tsx';

const CODE = 'code';

const NAME = { label: t.username, name: 'username', autocomplete: 'username', spellcheck: false };

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

const NewPassword = () => (
  <Secret label={t.newPassword} name="new_password" isNew hint={t.newPasswordHint(MIN_BYTES)} />
);

interface LogInProps extends Pick<FormProps, 'onBack'> {
  /** Of the person whose page waits for the login; anyone by default. */
  readonly username?: string;
  readonly onSubmit?: FormProps['onSubmit'];
}

const LogIn = ({ username, onSubmit = logIn, onBack }: LogInProps) => (
  <Form submit={t.logIn} refusal={t.refused} onSubmit={onSubmit} onBack={onBack}>
    <Field
      {...NAME}
      autocapitalize="none"
      required
      value={username}
      readOnly={username !== undefined}
      // A browser then offers passkeys in the list of the field.
      {...(username === undefined && { autocomplete: 'username webauthn', autofocus: true })}
    />
    <Secret label={t.password} name="password" {...(username !== undefined && { autofocus: true })} />
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
      {error !== undefined && <Failed error={error} refusal={t.unknownPasskey} />}
    </>
  );
}

/** Where this page has to be for passkeys, if it is at an IP address. */
export const AtName = ({ children }: { children: ComponentChildren }) => (
  <a href={addressWithName()}>{children}</a>
);

/** Logs in by a passkey; nothing where the browser has none. */
function PasskeyLogIn({ onSubmit }: Pick<FormProps, 'onSubmit'>) {
  if (!hasPasskeys()) return null;
  return addressWithName() ? (
    <p class="other">
      <AtName>{t.logInAtLocalhost}</AtName>
    </p>
  ) : (
    <Form submit={t.logInWithPasskey} refusal={t.unknownPasskey} onSubmit={onSubmit} class="other" />
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
      <Dialog title={t.logInAgain} onEscape={back}>
        <p>{t.firstPasskey}</p>
        <LogIn
          username={username}
          onBack={back}
          onSubmit={(fields, options) => logIn(fields, options).then(() => answer(true))}
        />
      </Dialog>
    );
  return (
    <Dialog title={t.confirm} onEscape={back}>
      <Form
        submit={t.usePasskey}
        refusal={t.passkeyRefused}
        onSubmit={(_, options) => confirmWithPasskey(options)}
        onBack={back}
        isReady
      >
        <p>{t.confirmText}</p>
        <p class="faint">{t.lostDevice}</p>
        {addressWithName() && (
          <p>{t.atAddress(location.hostname, <AtName key="link">{t.thisPageAtLocalhost}</AtName>)}</p>
        )}
      </Form>
    </Dialog>
  );
}

/** What happened, and what is next: people without the role only had to set their password. */
const PasswordSet = () => (
  <>
    {t.passwordSet}
    {!useContext(Me)?.roles?.includes(ADMINISTRATOR) && t.passwordSetNext}
  </>
);

function RedeemCode() {
  const { username } = usePlace().state;
  return (
    <Form
      submit={t.setPasswordAndLogIn}
      refusal={t.codeRefused}
      onSubmit={redeemCode}
      done={() => <PasswordSet />}
    >
      <Field {...NAME} autocapitalize="none" required defaultValue={username} autofocus={!username} />
      <Field
        label={t.code}
        name="code"
        autocomplete="one-time-code"
        autocapitalize="characters"
        hint={t.codeHint}
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
  const title = hasCode ? t.setPassword : t.logIn;
  useTitle(title);
  return (
    <main class="narrow">
      <p>
        <Owner />
      </p>
      <h1>{title}</h1>
      <div class="card">{hasCode ? <RedeemCode key={CODE} /> : <EitherLogIn />}</div>
      <p>
        <a href={hrefTo(hasCode ? '' : CODE)}>{hasCode ? t.toPassword : t.toCode}</a>
      </p>
    </main>
  );
}

/** Covers the page when the session has ended; waiting requests are sent after the login. */
export const LogInAgain = ({ username }: { username: string }) => (
  <Dialog title={t.ended} class="cover">
    <p>{t.endedText}</p>
    <LogIn username={username} />
    <PasskeyLogIn onSubmit={(_, options) => logInWithPasskey(options, username)} />
    <p>
      <Button class="quiet" onClick={leave}>
        {t.leave}
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
      <p class="faint">{t.changeText}</p>
      <Form submit={t.changePassword} refusal={t.currentRefused} onSubmit={send} done={() => t.changed}>
        {/* For password managers. */}
        <input class="hidden" autocomplete="username" value={username} readOnly tabIndex={-1} aria-hidden />
        <Secret label={t.currentPassword} name="current_password" />
        <NewPassword />
      </Form>
    </div>
  );
}
