import { header as t } from '#texts/header';
import { whenIdle } from '../idle.tsx';
import { lazy } from '../lazy.tsx';
import type { Screen } from '../screen.ts';
import { People } from './people/people.tsx';

/** Whether the page has the screen of its parts: only `npm start -- --watch` builds it. */
declare const IS_DEVELOPMENT: boolean;

/** The other screens are one script: of each small file, the first load of the page would be another request. */
const others = () => import('./others.ts');

/** The only screen for people without the role of an administrator. */
export const me: Screen = { id: 'me', View: lazy(async () => (await others()).MyAccount) };

/** Every screen, in the order of the navigation; the first one opens by default, the others are loaded on their first use. */
export const SCREENS: readonly [Screen, ...Screen[]] = [
  { id: 'accounts', link: t.people, View: People },
  { id: 'account', section: 'accounts', View: lazy(async () => (await others()).AccountView) },
  { id: 'invite', section: 'accounts', View: lazy(async () => (await others()).Invite) },
  { id: 'import', section: 'accounts', View: lazy(async () => (await import('./import/import.tsx')).Import) },
  { id: 'machines', link: t.machines, View: lazy(async () => (await others()).Machines) },
  { id: 'teams', link: t.teams, View: lazy(async () => (await others()).Teams) },
  { id: 'team', section: 'teams', View: lazy(async () => (await others()).TeamView) },
  { id: 'audit', link: t.activity, View: lazy(async () => (await others()).Activity) },
  { id: 'owners', link: t.tokens, View: lazy(async () => (await others()).Owners) },
  {
    id: 'attention',
    link: t.attention,
    View: lazy(async () => (await others()).Attention),
    Count: whenIdle(async () => (await others()).AttentionCount),
  },
  me,
  ...(IS_DEVELOPMENT ? [{ id: 'parts', View: lazy(async () => (await import('./parts.tsx')).Parts) }] : []),
];

/** Screens that others have replaced, by their IDs: their addresses stay in use. */
const REPLACED: Readonly<Record<string, string>> = { events: 'attention' };

/** The screen at an address; the first one at an unknown one. */
export const screenAt = (wanted: string): Screen =>
  SCREENS.find(({ id }) => id === (REPLACED[wanted] ?? wanted)) ?? SCREENS[0];
