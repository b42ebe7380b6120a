import { useState } from 'preact/hooks';
import { Secret } from '../entrance.tsx';
import { type Fields, Form } from '../form.tsx';
import { notify } from '../notice.tsx';
import { type Screen, useOwnName } from '../screen.ts';
import { client } from '../session.ts';

function Password() {
  const username = useOwnName();
  const [done, setDone] = useState(0);
  const send = async ({ current_password = '', new_password = '' }: Fields) => {
    let requestId: string | undefined;
    const onHeaders = (headers: Headers) => {
      requestId = headers.get('x-request-id') ?? undefined;
    };
    await client.account.password({ current_password, new_password, createCookie: true }, { onHeaders });
    notify({ message: 'Your password is changed, and your other sessions have ended', requestId });
    setDone(done + 1);
  };
  return (
    <div class="card narrow">
      <p class="faint">All of your other sessions end. API tokens stay valid.</p>
      <Form key={done} submit="Change password" onSubmit={send}>
        {/* For password managers. */}
        <input
          class="hidden"
          type="text"
          autocomplete="username"
          value={username}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
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

export const password: Screen = { id: 'password', title: 'Change password', View: Password };
