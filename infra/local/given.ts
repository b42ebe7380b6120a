import type { WatchedBundles } from '#infra/watch-bundles';
import { givenSettings } from '#lib/instance/expectations';
import { resourcesIn } from '#lib/resource/resources';
import { issuersIn } from '#lib/trust/issuers';
import type { Options } from './flags.ts';
import {
  credentialsFor,
  ENDPOINTS,
  type Endpoints,
  givenEndpoint,
  instanceCredentials,
  regionOf,
} from './sdk-environment.ts';
import { loadPolicies } from './services/iam/confinement.ts';

export type Given = ReturnType<typeof given>;

/** All that is known before a part starts. @throws Error with a text for people */
export function given(
  options: Options,
  user: NodeJS.ProcessEnv,
  bundles: Promise<WatchedBundles | undefined>,
) {
  const settings = givenSettings(user);
  issuersIn(settings.Issuers, true);
  resourcesIn(settings.Resources);
  const region = regionOf(user);
  if (options.subscribe && givenEndpoint('events', user))
    throw new Error(`--subscribe needs the local event bus: unset ${ENDPOINTS.events}.`);
  const own = instanceCredentials(user);
  const credentials = credentialsFor(user, own);
  // Loading them takes a second, in parallel with the first parts.
  const policies = options.enforceIam ? loadPolicies(region, options.table) : undefined;
  policies?.catch(() => undefined);
  return {
    options,
    user,
    bundles,
    settings,
    region,
    /** The credentials that the instance has generated, if it has. */
    own,
    credentials,
    accessKeyId: credentials.accessKeyId,
    policies,
    /** The file, unless the data are in memory only. */
    kept: (file: string) => (options.memory ? undefined : file),
    /** The service at the URL that the user names, or else one that is started. */
    unlessNamed: async <S extends { readonly url: string }>(
      service: keyof Endpoints,
      start: () => Promise<S>,
    ): Promise<Pick<S, 'url'> & Partial<S>> => {
      const url = givenEndpoint(service, user);
      return url === undefined ? start() : ({ url } as Pick<S, 'url'> & Partial<S>);
    },
  };
}
