import { me as t } from '#texts/me';
import type { Part } from './tabs.tsx';

export interface OwnPart extends Part {
  readonly id: 'profile' | 'password' | 'passkeys' | 'sessions' | 'tokens';
}

/** The parts of one's own account, in the order of its tabs and of the menu of the header. */
export const OWN_PARTS: readonly [OwnPart, ...OwnPart[]] = [
  { id: 'profile', title: t.profile },
  { id: 'password', title: t.password },
  { id: 'passkeys', title: t.passkeys },
  { id: 'sessions', title: t.sessions },
  { id: 'tokens', title: t.tokens },
];
