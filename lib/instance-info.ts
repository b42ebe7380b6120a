import type { Settings } from './settings.ts';

/** Version of the API (semantic versioning). */
export const API_VERSION = '1.0.0';

/** Description of the instance, in the profile and in the system information. */
export const instanceInfo = ({ ApiUrl, OwnerName }: Settings) => ({
  'kv.v.api.version': API_VERSION,
  'kv.v.api.url': ApiUrl,
  'kv.v.owner.name': OwnerName,
});
