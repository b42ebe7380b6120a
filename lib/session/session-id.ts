const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * The ID (`jti`) in a session token, to mark its session in a list: nothing is verified, so it proves nothing. Also runs
 * in browsers.
 *
 * @returns a UUID in lower case, or an empty text
 */
export function sessionIdIn(token: string): string {
  try {
    const payload = `${token.split('.')[1]}`.replaceAll('-', '+').replaceAll('_', '/');
    const jti: unknown = JSON.parse(atob(payload)).jti;
    return typeof jti === 'string' && UUID.test(jti) ? jti : '';
  } catch {
    return '';
  }
}
