import type { FunctionComponent } from 'preact';
import { useContext } from 'preact/hooks';
import { Password } from '../passwords.tsx';
import { ADMINISTRATOR, Me } from '../session.ts';
import { type Part, Tabs } from '../tabs.tsx';
import { PageTitle } from '../title.tsx';

/** The parts of one's own account, in the order of its tabs and of the menu. */
export const ME_PARTS: readonly [
  Part & { View: FunctionComponent },
  ...(Part & { View: FunctionComponent })[],
] = [{ id: 'password', title: 'Change password', View: Password }];

/** One's own account. */
export function MyAccount() {
  const roles = useContext(Me)?.roles;
  return (
    <>
      <PageTitle title="Your account" />
      {roles && !roles.includes(ADMINISTRATOR) && (
        <p class="card">
          Your account lacks the role {ADMINISTRATOR}: without it, this page can only change your password.
        </p>
      )}
      <Tabs label="Your account" of={ME_PARTS}>
        {({ View }) => <View />}
      </Tabs>
    </>
  );
}
