import { InvalidArgumentError } from 'commander';
import { parseExactly } from '#lib/input/exact-json';
import { parse } from '#lib/input/parse';
import { createTrust } from '#lib/trust/create';
import { contract } from '#lib/trust/create.contract';
import { issuersFromEnvironment } from '#lib/trust/issuers';
import { MAX_MINUTES, MINUTES } from '#lib/trust/maxima';
import { find } from '../account/find.ts';
import type { Command } from '../command.ts';
import { ACCOUNT, of } from '../operator-needs.ts';
import { collect, option } from '../options.ts';

/** Adds a claim from `<name>=<JSON>`; a name may contain `=` only in JSON. @throws InvalidArgumentError */
function withClaim(text: string, before: Readonly<Record<string, unknown>> = {}) {
  const [, name, json] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || json === undefined)
    throw new InvalidArgumentError('Expected <name>=<JSON>, such as repository_id=\'"123"\'.');
  try {
    return { ...before, [name]: parseExactly(json) };
  } catch {
    throw new InvalidArgumentError(
      `The value of ${name} is no JSON: a text has quotes, as in ${name}='"123"'.`,
    );
  }
}

export const create: Command = {
  name: 'trust create <trust> <username>',
  description: 'let a machine sign in with tokens of an issuer that have a subject and claims',
  options: [
    option('--issuer <name>', 'name of an issuer in Settings:Issuers').makeOptionMandatory(),
    option(
      '--subject <text>',
      'subject of the tokens, exactly; or how it begins, with one * after a : or /',
    ).makeOptionMandatory(),
    option(
      '--claim <name=json>',
      'claim that the tokens must have, with its value as JSON; repeatable',
      withClaim,
    ),
    option('--role <name>', 'limit the sessions to this role of the machine; repeatable', collect),
    option('--read-only', 'permit GET requests only'),
    option('--address <block>', 'limit the sessions to this address or CIDR block; repeatable', collect),
    option('--minutes <n>', `lifetime of the sessions, 1 to ${MAX_MINUTES}; ${MINUTES} by default`, Number),
  ],
  group: 'administrator',
  inputs: { table: 'the account of a person gets a trust, if somebody has written that it is a machine' },
  needs: [ACCOUNT, of(contract)],
  audited: true,
  run: async (target, trust: string, username: string, options: Readonly<Record<string, unknown>>) => {
    const { runtime, actor, note } = target;
    const { issuer, subject, claim: claims, role: roles, address: addresses, minutes: max_minutes } = options;
    const access = options['readOnly'] && 'read';
    const machine = await find(target, username);
    const { trust_name } = parse(contract.params(), { trust_name: trust, username });
    const asked = { issuer, subject, claims, roles, access, addresses, max_minutes };
    const body = parse(contract.body(), asked);
    note({ trust: trust_name, issuer: body.issuer });
    const issuers = issuersFromEnvironment(runtime.settings);
    return createTrust(runtime, machine, trust_name, actor, { ...body, issuers });
  },
};
