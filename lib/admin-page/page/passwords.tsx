import { useContext } from 'preact/hooks';
import type { RequestOptions } from '../../client/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field, type FieldProps, type Fields, Form } from './form.tsx';
import { hrefTo, usePlace } from './place.ts';
import { ADMINISTRATOR, client, leave, logIn, Me, redeemCode, useInstance, useOwnName } from './session.ts';
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

const LogIn = ({ username }: { username?: string }) => (
  <Form submit="Log in" refusal="The username or password is not valid." onSubmit={logIn}>
    <Field {...NAME} autocapitalize="none" required value={username} readOnly={username !== undefined} />
    <Secret label="Password" name="password" {...(username !== undefined && { autofocus: true })} />
  </Form>
);

/** What happened, and what is next: people without the role only had to set their password. */
const PasswordSet = () => (
  <>
    Your password is set, and you are logged in.
    {!useContext(Me)?.roles?.includes(ADMINISTRATOR) &&
      ' From now on, log in to your applications with it. You can close this page.'}
  </>
);

const RedeemCode = () => (
  <Form
    submit="Set password and log in"
    refusal="The username or code is not valid. A code works once, and for a limited time."
    onSubmit={redeemCode}
    done={() => <PasswordSet />}
  >
    <Field {...NAME} autocapitalize="none" required defaultValue={usePlace().state['username']} />
    <Field
      label="One-time code"
      name="code"
      autocomplete="one-time-code"
      autocapitalize="characters"
      hint="In the form XXXX-XXXX-XXXX. It works once."
      required
      data-secret
    />
    <Secret label="New password" name="new_password" isNew />
  </Form>
);

/** The page for people without a session. */
export function Entrance() {
  const hasCode = usePlace().screen === CODE;
  const title = hasCode ? 'Set your password' : 'Log in';
  useTitle(title);
  return (
    <main class="narrow">
      <p class="faint">{useInstance()}</p>
      <h1>{title}</h1>
      <div class="card">{hasCode ? <RedeemCode key={CODE} /> : <LogIn />}</div>
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
    client.account.password({ current_password, new_password, createCookie: true }, options);
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
        <Secret
          label="New password"
          name="new_password"
          isNew
          hint="Long beats complicated: several words are easy to remember and hard to guess."
        />
      </Form>
    </div>
  );
}
