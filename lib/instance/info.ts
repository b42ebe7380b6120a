import type { SchemaTexts } from '../texts.ts';
import type { Settings } from './settings.ts';

/** Version of the project (semantic versioning), which the bundler takes from package.json. */
declare const PROJECT_VERSION: string;

/** Description of the instance, in the profile and in the system information. */
export const instanceInfo = ({ ApiUrl, OwnerName }: Settings) => ({
  'kv.v.api.version': PROJECT_VERSION,
  'kv.v.api.url': ApiUrl,
  'kv.v.owner.name': OwnerName,
});

export const instanceTexts = {
  fields: {
    'kv.v.api.version': 'Version of the API',
    'kv.v.api.url': 'Base URL of the instance',
    'kv.v.owner.name': 'Name of the owner of the instance',
  },
} as const satisfies SchemaTexts;
