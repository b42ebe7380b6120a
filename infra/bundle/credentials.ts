/**
 * Takes the place of the SDK's chain of credential providers in the bundles: Lambda and the local instance put the
 * credentials of a function into its environment. The other providers of the chain weigh 135 kB.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
