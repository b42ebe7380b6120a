import type { Route } from '#lib/routes';

export interface Match {
  readonly route: Route;
  readonly rawPath: string;
  readonly params: Record<string, string>;
}

/**
 * Finds routes as the HTTP API does. It decodes the path first, so that `%2F` separates segments. A route has one method,
 * a literal segment takes precedence over a parameter, and a trailing slash makes another path.
 */
export function openRouter(routes: readonly Route[]) {
  const patterns = routes
    .map((route) => ({ route, pattern: patternOf(route.path) }))
    // A brace sorts after every character of a literal segment.
    .toSorted((one, other) => (one.route.path < other.route.path ? -1 : 1));

  /** @param target of the request, as sent; `malformed` where its path is not percent-encoded UTF-8 */
  return (method: string, target: string): Match | 'malformed' | undefined => {
    const rawPath = decode(splitTarget(target).path);
    if (rawPath === undefined) return 'malformed';
    for (const { route, pattern } of patterns) {
      const found = route.method === method ? pattern.exec(rawPath) : null;
      if (found) return { route, rawPath, params: { ...found.groups } };
    }
    return undefined;
  };
}

/** Path and query of a request target; an absolute URL (RFC 9112 section 3.2.2) counts as its path. */
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

/** A parameter matches one segment that is not empty. */
const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
