import type { Screen } from '../screen.ts';
import { account } from './account.tsx';
import { accounts } from './accounts.tsx';
import { audit } from './audit.tsx';
import { events } from './events.tsx';
import { added } from './new.tsx';
import { owners } from './owners.tsx';
import { password } from './password.tsx';
import { teams } from './teams.tsx';

/** Every screen, in the order of the navigation; the first one opens by default. */
export const SCREENS: readonly Screen[] = [accounts, account, added, teams, owners, audit, events, password];
