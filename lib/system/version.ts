/** Version of the API that every instance of this code reports as `kv.v.api.version` (semantic versioning). */
export const API_VERSION = '1.0.0';
