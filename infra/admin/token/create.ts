import { TOKEN_CREATION } from '#lib/contract/needs';
import { parse } from '#lib/input/parse';
import { createToken } from '#lib/token/create';
import { contract as createContract } from '#lib/token/create.contract';
import { MAX_OVERLAP } from '#lib/token/maxima';
import type { CreatedToken } from '#lib/token/record';
import { rotateToken } from '#lib/token/rotate';
import { contract as rotateContract } from '#lib/token/rotate.contract';
import { termsOf } from '#lib/token/terms';
import { find } from '../account/find.ts';
import type { Command } from '../command.ts';
import { ACCOUNT, of, withoutKey } from '../operator-needs.ts';
import { collect, option } from '../options.ts';
import { Output, readable } from '../output.ts';

export const create: Command = {
  name: 'token create <name> <username>',
  description: 'create a token and print its secret, once, alone on standard output',
  options: [
    option('--expires-in-days <days>', 'days until the token expires; by default it has no end', Number),
    option('--description <text>', 'purpose of the token'),
    option('--read-only', 'permit GET requests only'),
    option('--role <name>', 'limit the token to this role of the account; repeatable', collect),
    option('--address <block>', 'limit the token to this address or CIDR block; repeatable', collect),
  ],
  group: 'administrator',
  inputs: {},
  needs: [
    ACCOUNT,
    'transaction:UpdateItem:ACCOUNT:token_create',
    of({ needs: TOKEN_CREATION }),
    'transaction:UpdateItem:OUTBOX:token_create',
    'relay:start',
  ],
  audited: true,
  run: async (target, name: string, username: string, options: Readonly<Record<string, unknown>>) => {
    const { expiresInDays: expires_in_days, description, role: roles, address: addresses } = options;
    const access = options['readOnly'] && 'read';
    const owner = await find(target, username);
    const { token_name } = parse(createContract.params(), { token_name: name, username });
    const asked = parse(createContract.body(), { expires_in_days, description, access, roles, addresses });
    const terms = termsOf(target.runtime, owner, asked);
    return secretOf(await createToken(target.runtime, owner, token_name, target.actor, terms));
  },
};

export const rotate: Command = {
  name: 'token rotate <name> <username>',
  description: 'replace the secret of a token and print the new one, once, alone on standard output',
  options: [
    option('--overlap-minutes <n>', `how long the former secret stays valid, 0 to ${MAX_OVERLAP}`, Number, 0),
  ],
  group: 'administrator',
  inputs: {},
  needs: [ACCOUNT, 'table:GetItem:TOKEN', withoutKey(rotateContract)],
  audited: true,
  run: async (target, name: string, username: string, options: { overlapMinutes: number }) => {
    const owner = await find(target, username);
    const { overlap_minutes = 0 } = parse(rotateContract.body(), {
      overlap_minutes: options.overlapMinutes,
    });
    return secretOf(await rotateToken(target.runtime, owner, name, target.actor, overlap_minutes));
  },
};

/** The record of a token, whose secret alone goes to standard output. */
function secretOf(record: CreatedToken): Output {
  const { value, ...details } = record;
  return new Output(record, { text: readable(details), stdout: value });
}
