import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Takes the place of `@aws-sdk/credential-provider-node` in a bundle. A function finds its credentials in
 * environment variables, in Lambda and in the local instance; the other providers weigh 135 kB.
 */
export const defaultProvider = fromEnv;
