import { type Said, said } from '../../said.ts';

export const machines = {
  title: 'Machines',
  note: 'Programs that sign in by themselves. A person answers for each. Sorted by username.',
  none: 'No machines. Create one for each program that works with this service.',
  search: 'Search',
  username: 'Username',
  of: 'Machines of',
  anyone: 'Anyone',
  columns: {
    machine: 'Machine',
    owner: 'Owner',
    roles: 'Roles',
    tokens: 'Tokens',
    trusts: 'Trusts',
    lastActive: 'Last active',
    state: 'State',
  },
  create: 'Create machine',
  createText:
    'A machine is an account for a program. It has no password, code or passkey, so no person logs in as it.',
  usernamePlaceholder: 'deploy-bot',
  usernameHint: 'It cannot be changed.',
  created: (name: Said) =>
    said`The machine ${name} is created. Create a trust, so that it signs in without a secret, or an API token.`,
  owner: 'Owner',
  ownerHint: 'The person who answers for it, and whom you ask when it does something odd.',
  owned: (name: Said) => said`Machines of ${name}`,
  changeOwner: 'Change owner',
  changeOwnerAsk: (machine: Said) => said`Who answers for ${machine}?`,
  changeOwnerText:
    'The person answers for the machine from now on. Its roles, tokens and trusts stay as they are.',
  ownerChanged: (owner: Said, machine: Said) => said`${owner} answers for ${machine} from now on.`,
  become: 'Turn into a machine',
  becomeAsk: (name: Said) => said`Turn ${name} into a machine?`,
  becomeText:
    'Its password, one-time code, passkeys and sessions end, and it cannot get others. Its API tokens, roles, teams and applications stay. Nobody can turn it back into a person.',
  becomeHint: 'Remove the roles of an administrator and for API tokens first: machines cannot have them.',
  became: (machine: Said, owner: Said) =>
    said`${machine} is a machine now: its password, passkeys and sessions have ended. ${owner} answers for it.`,
};
