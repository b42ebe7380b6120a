import { useState } from 'preact/hooks';
import { Secret } from '../entrance.tsx';
import { type Fields, Form } from '../form.tsx';
import { useOwnName } from '../me.ts';
import { answerOf, notify } from '../notice.tsx';
import { client } from '../session.ts';

export function Password() {
  const username = useOwnName();
  const [turn, setTurn] = useState(0);
  const send = async ({ current_password = '', new_password = '' }: Fields) => {
    const { done, options } = answerOf();
    await client.account.password({ current_password, new_password, createCookie: true }, options);
    notify({ done });
    setTurn(turn + 1);
  };
  return (
    <div class="card narrow">
      <p class="faint">All of your other sessions end. API tokens stay valid.</p>
      <Form key={turn} submit="Change password" refusal="The current password is not valid." onSubmit={send}>
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
