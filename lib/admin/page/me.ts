import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Profile } from '../../client/index.ts';

/** The role that the page requires. */
export const ADMINISTRATOR = 'sys_administrator';

/** Profile of the person who has signed in; undefined until it is loaded. */
export const Me = createContext<Profile | undefined>(undefined);

/** The username of the person who has signed in; empty until it is loaded. */
export const useOwnName = () => useContext(Me)?.user?.username ?? '';
