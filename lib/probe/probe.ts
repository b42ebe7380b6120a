import { randomBytes } from 'node:crypto';
import { API_USERNAME } from '../account/identifiers.ts';
import { HEARTBEAT } from '../audit/heartbeat.ts';
import { log } from '../log/log.ts';
import { contract as login } from '../login/login.contract.ts';
import { contract as jwks } from '../system/jwks.contract.ts';
import { generateApiToken } from '../token/secret.ts';
import { probe } from './jobs.ts';

/** Time limit of each request, longer than that of the function behind it. */
const TIMEOUT_MS = 20_000;

/** The status of an answer, or why there is none: `ENOTFOUND` without a DNS record, `CERT_HAS_EXPIRED`, `TimeoutError`. */
type Outcome = number | string;

/**
 * Requests the public keys, and logs in with an API token that does not exist: the login reads the table and is refused
 * with 401. It hashes no password, writes nothing and counts towards no limit. First it writes an audit line, which
 * `audit.collect` misses if audit lines do not reach it.
 *
 * @param url of the instance, without a final slash
 * @returns the result, as logged
 */
export async function probeInstance(url: string) {
  log('audit', { action: HEARTBEAT });
  const body = JSON.stringify({ username: API_USERNAME, password: generateApiToken(randomBytes) });
  const [keys, refused] = await Promise.all([
    outcomeOf(url + jwks.path, { method: jwks.method }),
    outcomeOf(url + login.path, {
      method: login.method,
      headers: { 'content-type': 'application/json' },
      body,
    }),
  ]);
  const isWell = keys === 200 && refused === 401;
  const result = { probe: isWell ? 'ok' : 'failed', jwks: keys, login: refused };
  log(isWell ? 'info' : 'error', { function: probe.id, message: 'The public URL was probed', ...result });
  return result;
}

async function outcomeOf(url: string, request: RequestInit): Promise<Outcome> {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } };
    return cause?.code ?? name;
  }
}
