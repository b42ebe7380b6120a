import type { Settings } from '../instance/settings.ts';

/**
 * How long a cached account may answer for its session, in ms, as contracts name it: the bundles of other endpoints do not
 * contain the setting.
 */
export const accountCacheMs = ({ SecurityStampCacheSeconds }: Settings): number =>
  SecurityStampCacheSeconds * 1000;
