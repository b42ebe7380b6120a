import { weightsOf } from '../http/weights.ts';

/**
 * Whether an `Accept` header admits a media type (RFC 9110 section 12.5.1): the most specific range that
 * covers it decides, with a weight of 0 against it. Without the header everything is admitted.
 */
export function accepts(header: string | undefined, type: `${string}/${string}`): boolean {
  if (!header?.trim()) return true;
  const weights = weightsOf(header);
  const [mainType] = type.split('/');
  return (weights.get(type) ?? weights.get(`${mainType}/*`) ?? weights.get('*/*') ?? 0) > 0;
}
