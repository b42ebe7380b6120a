import type { Cause } from '#lib/failure/cause';
import { blockAddress } from '#lib/login/blocks';
import { passkeyOptions } from '#lib/passkey/options';
import { newAuthenticator } from '../../authenticator.ts';
import { newName } from '../../names.ts';
import { by, NOON } from '../support/engine.ts';
import type { gatewayEvent } from '../support/gateway-event.ts';
import type { Bench, Functions } from './functions.ts';

const BLOCKED = '192.0.2.66';

type Refused = readonly [keyof Functions, Parameters<typeof gatewayEvent>[0]];

/** Requests from a blocked address, which are 429. */
export function blockArrangementsOn({
  runtime,
}: Bench): Partial<Record<Cause, Record<string, () => Promise<Refused>>>> {
  const blocked = async (name: keyof Functions, body: object): Promise<Refused> => {
    await blockAddress(runtime, BLOCKED, NOON + 3_600_000, by('operator'));
    const headers = { 'content-type': 'application/json' };
    return [name, { sourceIp: BLOCKED, headers, body: JSON.stringify(body) }];
  };
  const username = newName('nobody');
  return {
    address_blocked: {
      'a login': () => blocked('login', { username, password: 'correct horse' }),
      'a new password by a code': () =>
        blocked('password', { username, code: '0000-0000-0000', new_password: 'battery staple' }),
      'an assertion': async () => {
        const { options } = await passkeyOptions(runtime, undefined, undefined, { purpose: 'assert' });
        return blocked('passkey', {
          credential: newAuthenticator().get(options, { origin: 'http://localhost' }),
        });
      },
    },
  };
}
