/**
 * Replaces the SDK's chain of credential providers in the bundles: Lambda and the local instance pass the credentials of a
 * function in its environment. The other providers of the chain are not bundled.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
