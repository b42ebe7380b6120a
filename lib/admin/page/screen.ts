import { createContext, type FunctionComponent } from 'preact';
import { useContext } from 'preact/hooks';
import type { Profile } from '../../client/index.ts';

/** A screen of the page: its address is `#<id>`, its heading the title. */
export interface Screen {
  readonly id: string;
  readonly title: string;
  /** Whether the navigation has a link to it. */
  readonly isListed?: boolean;
  readonly View: FunctionComponent;
}

/** Profile of the person who has signed in; undefined until it is loaded. */
export const Me = createContext<Profile | undefined>(undefined);

/** The username of the person who has signed in; empty until it is loaded. */
export const useOwnName = () => useContext(Me)?.user?.username ?? '';
