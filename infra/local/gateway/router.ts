import type { Route } from '#lib/routes';

export interface Match {
  readonly route: Route;
  readonly rawPath: string;
  readonly params: Record<string, string>;
}

/**
 * Finds routes as the HTTP API does: the path is decoded first, so that `%2F` separates segments; the method must
 * be the route's own; a literal segment goes before a parameter; a trailing slash is another path.
 */
export function openRouter(routes: readonly Route[]) {
  const patterns = routes
    .map((route) => ({ route, segments: route.path.split('/') }))
    .toSorted((one, other) => specificity(other.segments).localeCompare(specificity(one.segments)));

  /** @param target of the request, as sent; `malformed` where its path is not percent-encoded UTF-8 */
  return (method: string, target: string): Match | 'malformed' | undefined => {
    const rawPath = decode(splitTarget(target).path);
    if (rawPath === undefined) return 'malformed';
    const actual = rawPath.split('/');
    for (const { route, segments } of patterns) {
      if (route.method !== method) continue;
      const params = matchSegments(segments, actual);
      if (params) return { route, rawPath, params };
    }
    return undefined;
  };
}

/** Path and query of a request target; an absolute one (RFC 9112 section 3.2.2) is as good as its path. */
export function splitTarget(target: string) {
  const local = target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  return mark < 0
    ? { path: local, rawQueryString: '' }
    : { path: local.slice(0, mark), rawQueryString: local.slice(mark + 1) };
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** One digit a segment, so that of two paths of one length the one with the earlier literal is greater. */
const specificity = (segments: readonly string[]) =>
  segments.map((segment) => (segment.startsWith('{') ? '0' : '1')).join('');

function matchSegments(segments: readonly string[], actual: readonly string[]) {
  if (segments.length !== actual.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = actual[index] as string;
    const isParameter = segment.startsWith('{');
    if (isParameter ? value === '' : value !== segment) return undefined;
    if (isParameter) params[segment.slice(1, -1)] = value;
  }
  return params;
}
