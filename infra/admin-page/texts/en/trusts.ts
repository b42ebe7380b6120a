import { type Said, said } from '../../said.ts';

export const trusts = {
  title: 'Trusts',
  none: 'No trust yet. Create one for each program, or an API token where its platform gives it no token.',
  columns: {
    trust: 'Trust',
    accepts: 'Accepts tokens of',
    limits: 'Limits',
    created: 'Created',
    use: 'Use',
  },
  createdBy: (when: Said, name: Said) => said`${when} by ${name}`,
  unknownIssuer: 'not in the settings: nothing signs in',
  minutes: (n: number) => `${n} minutes`,
  noIssuer: (setting: Said, example: Said) =>
    said`No issuer is set yet. Whoever deploys the service adds those that it trusts to the setting ${setting}: ${example}`,
  create: 'Create trust',
  createAsk: (machine: Said) => said`Create a trust for ${machine}`,
  createText: 'A program signs in with the token that its platform gives it: nobody stores a secret.',
  created: (name: Said, machine: Said) =>
    said`The trust ${name} of ${machine} is created. Paste this where the program runs.`,
  show: 'Show',
  showTitle: (name: Said, machine: Said) => said`How a program uses the trust ${name} of ${machine}`,
  snippet: 'It contains no secret, signs in, and reads the profile of the machine.',
  copy: 'Copy',
  refused: (command: Said) =>
    said`It is refused? Activity says why. The operator command ${command} compares a token with the trust.`,
  delete: 'Delete',
  deleteAsk: (name: Said, machine: Said) => said`Delete the trust ${name} of ${machine}?`,
  deleteText:
    'Its sessions end at once: their next request is refused. A trust that is created again under its name does not revive them.',
  deleted: (name: Said, machine: Said) =>
    said`The trust ${name} of ${machine} is deleted, and its sessions have ended.`,
  placeholder: 'deploy',
  issuer: 'Issuer of the tokens',
  how: 'Tokens that it accepts',
  otherTokens: 'Other tokens',
  subject: (subject: Said) => said`Subject: ${subject}`,
  restrict: 'Restrict',
  sessions: 'A session ends',
  after: (minutes: number) => (minutes === 60 ? 'after an hour' : `after ${minutes} minutes`),
};
