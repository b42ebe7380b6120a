import { invalid } from '../failure/failure.ts';
import type { Claims } from '../item/trust.ts';
import type { Issuer } from './issuers.ts';

/** What a token must say of itself, in a request for a trust. */
export interface Requirements {
  readonly subject: string;
  readonly claims?: Claims | undefined;
}

/** Claims that something else decides, with what to write instead. */
const DECIDED: Readonly<Record<string, string>> = {
  sub: 'Must be absent: write it as `subject`',
  iss: 'Must be absent: `issuer` decides it',
  aud: 'Must be absent: the settings of the issuer decide it',
  azp: 'Must be absent: the audience is checked for every token',
  exp: 'Must be absent: every token has its own, which is checked',
  iat: 'Must be absent: every token has its own, which is checked',
  nbf: 'Must be absent: every token has its own, which is checked',
  jti: 'Must be absent: every token has its own',
  subject_mode: 'Must be absent: tokens with it are refused',
};

/** Claims of platforms that hold others in objects. */
const NESTED = ['kubernetes.io', 'https://sts.amazonaws.com/'];

/**
 * Refuses requirements that an unwanted token can meet: on each platform, a name is not enough where others may get it.
 *
 * @throws Failure `invalid_request`
 */
export function checkRequirements({ platform }: Issuer, { subject, claims = {} }: Requirements): void {
  for (const name of Object.keys(claims)) {
    const decided = Object.hasOwn(DECIDED, name) ? DECIDED[name] : undefined;
    if (decided) throw invalid(`claims.${name}`, decided);
    const outer = NESTED.find((it) => name !== it && name.startsWith(it));
    if (outer) throw invalid('claims', `Must have an object in place of a path: {"${outer}": {...}}`);
  }
  const rule: ((subject: string, claims: Claims) => void) | undefined = RULES[platform];
  rule?.(subject, claims);
}

/** GitHub and GitLab give the name of a deleted or renamed repository to whoever asks for it; IDs are never given again. */
const needsId =
  (...ids: readonly [string, string]) =>
  (_subject: string, claims: Claims) => {
    const given = ids.filter((id) => Object.hasOwn(claims, id));
    const [id, other] = ids;
    if (given.length === 0)
      throw invalid(
        'claims',
        `Must have ${id} or ${other}: names can be taken over by others, these numbers cannot`,
      );
    const wrong = given.find((name) => !/^\d+$/.test(typeof claims[name] === 'string' ? claims[name] : ''));
    if (wrong)
      throw invalid(`claims.${wrong}`, 'Must be the number as a text in quotes, as it is in the token');
  };

const checkKubernetes = (subject: string) => {
  if (subject.endsWith('*'))
    throw invalid('subject', 'Must name one service account without *: create a trust for each of them');
  const [, account] = /^system:serviceaccount:[^:]+:([^:]+)$/.exec(subject) ?? [];
  if (account === undefined)
    throw invalid('subject', 'Must have the form system:serviceaccount:<namespace>:<service account>');
  if (account === 'default')
    throw invalid(
      'subject',
      'Must be another service account than default, which every pod of the namespace has: create one for this machine',
    );
};

const checkGoogle = (subject: string, claims: Claims) => {
  if (!/^\d+$/.test(subject))
    throw invalid(
      'subject',
      'Must be the unique number of the service account, not its e-mail address, and without *: `gcloud iam service-accounts describe <address> --format="value(uniqueId)"` prints it',
    );
  if (Object.hasOwn(claims, 'email'))
    throw invalid('claims.email', 'Must be absent: the number in `subject` names the account for ever');
};

/** A `*` after `assumed-role/<role>/` stands for the name of a session; before the name of a role, for any role. */
const checkAws = (subject: string) => {
  if (!/^arn:[^:]+:(iam|sts):[^:]*:\d{12}:./.test(subject))
    throw invalid('subject', 'Must be the ARN of a role, such as arn:aws:iam::123456789012:role/deploy');
  if (subject.endsWith('*') && !/^arn:[^:]+:sts:[^:]*:\d{12}:assumed-role\/[^/]+\/\*$/.test(subject))
    throw invalid('subject', 'Must have no * before the name of the role: create a trust for each role');
};

const RULES = {
  github: needsId('repository_id', 'repository_owner_id'),
  gitlab: needsId('project_id', 'namespace_id'),
  kubernetes: checkKubernetes,
  google: checkGoogle,
  aws: checkAws,
  other: () => undefined,
} as const satisfies Record<Issuer['platform'], (subject: string, claims: Claims) => void>;

/**
 * The issuer with a name.
 *
 * @throws Failure `invalid_request` that lists the known names
 */
export function issuerNamed(issuers: readonly Issuer[], name: string): Issuer {
  const issuer = issuers.find((one) => one.name === name);
  if (issuer) return issuer;
  const names = issuers.map((one) => one.name);
  throw invalid(
    'issuer',
    names.length > 0
      ? `Must be the name of an issuer in Settings:Issuers: ${names.join(', ')}`
      : 'Must be the name of an issuer in Settings:Issuers, which has none yet',
  );
}
