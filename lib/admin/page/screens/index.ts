import type { Screen } from '../screen.ts';
import { accounts } from './accounts.tsx';
import { password } from './password.tsx';

/** Every screen, in the order of the navigation; the first one opens by default. */
export const SCREENS: readonly Screen[] = [accounts, password];
