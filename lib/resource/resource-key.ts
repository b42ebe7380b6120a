import { type Runtime, requireVariable } from '../runtime.ts';
import { keyFromSecret } from '../session/signing-key.ts';
import { RESOURCE_KEYS } from './key-use.ts';

/** The private key that signs now. @returns a function that throws Failure `unavailable` without one */
export const resourceKeyFromSecret = (runtime: Pick<Runtime, 'table' | 'now'>) =>
  keyFromSecret(runtime, RESOURCE_KEYS, requireVariable('resourceKey'));
