import type { FunctionComponent } from 'preact';
import { Password } from '../passwords.tsx';
import { AccountView } from './account.tsx';
import { Accounts } from './accounts.tsx';
import { Audit } from './audit.tsx';
import { Events, Owners, Teams } from './listings.tsx';
import { NewAccount } from './new.tsx';

/** A screen of the page: its address is `#<id>`, its heading the title. */
export interface Screen {
  readonly id: string;
  readonly title: string;
  /** Whether the navigation has no link to it. */
  readonly isHidden?: boolean;
  readonly View: FunctionComponent;
}

/** The only screen for people without the role. */
export const password: Screen = { id: 'password', title: 'Change password', isHidden: true, View: Password };

/** Every screen, in the order of the navigation; the first one opens by default. */
export const SCREENS: readonly [Screen, ...Screen[]] = [
  { id: 'accounts', title: 'Accounts', View: Accounts },
  { id: 'account', title: 'Account', isHidden: true, View: AccountView },
  { id: 'new', title: 'Create and import', View: NewAccount },
  { id: 'teams', title: 'Teams', View: Teams },
  { id: 'owners', title: 'Administrators and tokens', View: Owners },
  { id: 'audit', title: 'Audit', View: Audit },
  { id: 'events', title: 'Events waiting', View: Events },
  password,
];
