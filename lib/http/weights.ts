/**
 * The members of a header that lists what a client accepts, in lower case, and the weight of each: 1 unless it
 * has a parameter `q` (RFC 9110 section 12.4.2).
 */
export const weightsOf = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(',').map((part) => {
      const [member = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return [member, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
