interface Parameters {
  readonly Endpoint?: string;
  readonly Region?: string;
  readonly UseFIPS?: boolean;
  readonly UseDualStack?: boolean;
}

/** Where a request goes, as the SDK has it. */
interface Endpoint {
  readonly url: URL;
  readonly properties: object;
  readonly headers: object;
}

/**
 * Takes the place of the endpoint rules of a client: what it is told, or the service in the region. Endpoints of an
 * account, of FIPS and of IPv6 are none that a function is set to.
 *
 * @param service prefix of its endpoints
 * @param partition tells the suffix of a region
 */
export const regionalEndpoints = (
  service: string,
  partition: (region: string) => { readonly dnsSuffix: string },
) => {
  const known = new Map<string, Endpoint>();
  return ({ Endpoint, Region, UseFIPS, UseDualStack }: Parameters): Endpoint => {
    if (UseFIPS || UseDualStack) throw new Error('Endpoints of FIPS and of IPv6 are not in this bundle');
    if (!Endpoint && !Region) throw new Error('Invalid Configuration: Missing Region');
    const url = Endpoint ?? `https://${service}.${Region}.${partition(Region as string).dnsSuffix}`;
    const endpoint = known.get(url) ?? { url: new URL(url), properties: {}, headers: {} };
    known.set(url, endpoint);
    return endpoint;
  };
};
