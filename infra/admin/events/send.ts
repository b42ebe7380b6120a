import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { SECRET_FILE } from '../../local/machine/resource-names.ts';
import { isSecret, sign } from '../../local/services/signature.ts';
import { readSecret } from '../../local/subscription.ts';
import { dataDirectories, type TargetOptions } from '../target.ts';
import { Refused } from './refused.ts';
import { sampleOf } from './samples.ts';

interface SendOptions extends TargetOptions {
  readonly to: string;
}

const ANSWERS_WITHIN_MS = 5000;

/**
 * Posts a sample to a subscriber, signed as the local instance signs: with `SUBSCRIBE_SECRET`, else with the secret of the
 * data directory. Each has an id of its own, so that it counts as new.
 *
 * @throws Refused `not_received` where it is not answered with success, `no_secret` where there is none
 */
export async function send(type: string | undefined, { to, data }: SendOptions): Promise<object> {
  const secret = process.env['SUBSCRIBE_SECRET'] || keptSecret(data);
  if (secret === undefined)
    throw new Refused(
      'no_secret',
      'Set SUBSCRIBE_SECRET, or start the instance once with --subscribe <url>, which makes a secret',
    );
  if (!isSecret(secret))
    throw new Refused('no_secret', 'SUBSCRIBE_SECRET must be whsec_ and 24 to 64 bytes in base64');
  const sample = sampleOf(type, Date.now());
  const id = randomUUID();
  const body = JSON.stringify({ ...sample, detail: { ...(sample.detail as object), id } });
  const { status, ok } = await fetch(to, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...sign(id, body, secret, Date.now()) },
    body,
    signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
  }).catch((error: Error & { cause?: { code?: string } }) => {
    throw new Refused('not_received', `${to} does not answer: ${error.cause?.code ?? error.message}`);
  });
  if (!ok) throw new Refused('not_received', `${to} answered ${status}`);
  return { status, id, type: sample['detail-type'] };
}

const keptSecret = (named: string | undefined) =>
  dataDirectories(named)
    .map((name) => name && readSecret(join(name, SECRET_FILE)))
    .find(Boolean);
