import { entrance as t } from '#texts/entrance';
import type { Action } from './act.tsx';
import { hasDrafts } from './drafts.ts';
import { logOut as end } from './session.ts';

const Drafts = () => (hasDrafts() ? <p>{t.logOutDrafts}</p> : null);

/** Ends the session of this browser. */
export const logOut: Action = {
  label: t.logOut,
  title: t.logOutAsk,
  text: t.logOutText,
  children: <Drafts />,
  run: (_, options) => end(options),
};
