import type { FunctionComponent } from 'preact';
import { AccountView } from './account/account.tsx';
import { Activity } from './activity.tsx';
import { Attention } from './attention.tsx';
import { Events } from './events.tsx';
import { Import } from './import.tsx';
import { Invite } from './invite.tsx';
import { Machines } from './machines.tsx';
import { ME_PARTS, MyAccount } from './me.tsx';
import { Owners } from './owners.tsx';
import { Parts } from './parts.tsx';
import { People } from './people/people.tsx';
import { Teams } from './teams.tsx';

/** Whether the page has the screen of its parts: only `npm start -- --watch` builds it. */
declare const IS_DEVELOPMENT: boolean;

/** A screen of the page: its address is `#<id>`. */
export interface Screen {
  readonly id: string;
  /** Its link in the navigation; by default the navigation has none. */
  readonly link?: string;
  readonly View: FunctionComponent;
}

/** The only screen for people without the role of an administrator. */
export const me: Screen = { id: 'me', View: MyAccount };

/** Every screen, in the order of the navigation; the first one opens by default. */
export const SCREENS: readonly [Screen, ...Screen[]] = [
  { id: 'accounts', link: 'People', View: People },
  { id: 'account', View: AccountView },
  { id: 'invite', View: Invite },
  { id: 'import', View: Import },
  { id: 'machines', link: 'Machines', View: Machines },
  { id: 'teams', link: 'Teams', View: Teams },
  { id: 'audit', link: 'Activity', View: Activity },
  { id: 'events', link: 'Events', View: Events },
  { id: 'owners', link: 'Tokens', View: Owners },
  { id: 'attention', link: 'Attention', View: Attention },
  me,
  ...(IS_DEVELOPMENT ? [{ id: 'parts', View: Parts }] : []),
];

export { ME_PARTS };
