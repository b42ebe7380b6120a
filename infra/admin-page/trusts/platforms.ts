import type { Claims } from '#lib/item/trust';
import { forms as t } from '#texts/trust-forms';
import type { FieldProps, Fields } from '../form.tsx';

/** What a trust requires of the tokens of its issuer. */
export interface Requirements {
  readonly subject: string;
  readonly claims?: Claims;
}

/** A field of a description. */
export interface Part extends FieldProps {
  readonly label: string;
  /** Whether it takes the whole width of the form. */
  readonly isWide?: boolean;
  /** Whether few people need it: it is folded. */
  readonly isRare?: boolean;
  /** Whether it belongs to what is chosen so far; always by default. */
  readonly isFor?: (fields: Fields) => boolean;
}

/** How people describe the tokens of a platform. */
export interface Description {
  /** What describes them, in a list. */
  readonly label: string;
  readonly fields: readonly Part[];
  readonly subjectOf: (fields: Fields) => string;
  readonly claimsOf?: (fields: Fields) => Claims | undefined;
}

const NUMBER = { inputMode: 'numeric', pattern: '\\d+', title: t.digits, required: true } as const;
const NAME = { spellcheck: false, autocapitalize: 'none', autocomplete: 'off', required: true } as const;

const EXACT = { pattern: '[^*]+', title: t.exact } as const;

/** A part of a subject: GitHub writes a colon in it so. */
const part = (text = '') => text.replaceAll(':', '%3A');

const REPOSITORY = {
  ...NAME,
  label: t.github.repository,
  isWide: true,
  name: 'repository',
  placeholder: 'octo-org/octo-repo',
  pattern: '[\\w.\\-]+/[\\w.\\-]+',
  title: t.github.repositoryTitle,
};

/** The owner and the name of a repository, each with its ID where GitHub adds it. */
function repositoryOf({ repository = '', repository_id, owner_id, form }: Fields): string {
  const [owner, name = '…'] = repository.split('/');
  return form === 'old' ? `${owner}/${name}` : `${owner}@${owner_id}/${name}@${repository_id}`;
}

const isOfEnvironment = ({ scope }: Fields) => scope === 'environment';

const github: Description = {
  label: t.github.label,
  fields: [
    REPOSITORY,
    { ...NUMBER, label: t.github.repositoryId, name: 'repository_id', hint: t.github.ids },
    { ...NUMBER, label: t.github.ownerId, name: 'owner_id' },
    { label: t.github.scope, name: 'scope', options: t.github.scopes },
    {
      ...NAME,
      ...EXACT,
      label: t.github.branch,
      name: 'branch',
      placeholder: 'main',
      isFor: (fields) => !isOfEnvironment(fields),
    },
    {
      ...NAME,
      ...EXACT,
      label: t.github.environment,
      name: 'environment',
      placeholder: 'production',
      isFor: isOfEnvironment,
    },
    {
      label: t.github.form,
      name: 'form',
      options: t.github.forms,
      hint: t.github.formHint,
      isWide: true,
      isRare: true,
    },
  ],
  subjectOf: (fields) =>
    isOfEnvironment(fields)
      ? `repo:${repositoryOf(fields)}:environment:${part(fields['environment'])}`
      : `repo:${repositoryOf(fields)}:ref:refs/heads/${fields['branch']}`,
  claimsOf: ({ repository_id = '', owner_id = '' }) => ({ repository_id, repository_owner_id: owner_id }),
};

const gitlab: Description = {
  label: t.gitlab.label,
  fields: [
    { ...NAME, label: t.gitlab.project, name: 'project', placeholder: 'group/project', isWide: true },
    { ...NUMBER, label: t.gitlab.projectId, name: 'project_id', hint: t.gitlab.projectIdHint },
    {
      ...NAME,
      ...EXACT,
      label: t.gitlab.branch,
      name: 'branch',
      placeholder: 'main',
      hint: t.gitlab.branchHint,
    },
  ],
  subjectOf: ({ project, branch }) => `project_path:${project}:ref_type:branch:ref:${branch}`,
  claimsOf: ({ project_id = '' }) => ({ project_id }),
};

const kubernetes: Description = {
  label: t.kubernetes.label,
  fields: [
    { ...NAME, label: t.kubernetes.namespace, name: 'namespace', placeholder: 'jobs' },
    {
      ...NAME,
      label: t.kubernetes.account,
      name: 'account',
      placeholder: 'report',
      pattern: '(?!default$).+',
      title: t.kubernetes.accountTitle,
      hint: t.kubernetes.accountHint,
    },
  ],
  subjectOf: ({ namespace, account }) => `system:serviceaccount:${namespace}:${account}`,
};

const google: Description = {
  label: t.google.label,
  fields: [
    {
      ...NUMBER,
      label: t.google.account,
      name: 'account',
      placeholder: '112233445566778899001',
      hint: t.google.accountHint,
      isWide: true,
    },
  ],
  subjectOf: ({ account }) => `${account}`,
};

const aws: Description = {
  label: t.aws.label,
  fields: [
    {
      ...NUMBER,
      label: t.aws.account,
      name: 'account',
      placeholder: '123456789012',
      pattern: '\\d{12}',
      title: t.aws.accountTitle,
    },
    {
      ...NAME,
      label: t.aws.role,
      name: 'role',
      placeholder: 'report',
      pattern: '[\\w+=,.@/\\-]+',
      title: t.aws.roleTitle,
      hint: t.aws.roleHint,
    },
  ],
  subjectOf: ({ account, role = '' }) => `arn:aws:iam::${account}:role/${role.replace(/^\//, '')}`,
};

/** Claims as people type them. */
function typedClaims({ claims = '' }: Fields): Claims | undefined {
  if (!claims.trim()) return undefined;
  try {
    const parsed = JSON.parse(claims);
    if (typeof parsed === 'object' && parsed && !Array.isArray(parsed)) return parsed;
  } catch {
    // As for JSON that is no object.
  }
  throw t.written.noObject;
}

/** Any token, by what is written in it. */
export const WRITTEN: Description = {
  label: t.written.label,
  fields: [
    { ...NAME, label: t.written.subject, name: 'subject', hint: t.written.subjectHint, isWide: true },
    {
      label: t.written.claims,
      isWide: true,
      name: 'claims',
      isLong: true,
      spellcheck: false,
      placeholder: '{"project_id": "22"}',
      hint: t.written.claimsHint,
    },
  ],
  subjectOf: ({ subject = '' }) => subject,
  claimsOf: typedClaims,
};

/** The forms of the platforms; tokens of all others are described by what is written in them. */
export const DESCRIPTIONS: Readonly<Record<string, Description>> = {
  github,
  gitlab,
  kubernetes,
  google,
  aws,
};

/** What the trust of a filled form requires. @throws a text for people */
export function requirementsOf({ subjectOf, claimsOf }: Description, fields: Fields): Requirements {
  const typed = Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, text.trim()]));
  const claims = claimsOf?.(typed);
  return { subject: subjectOf(typed), ...(claims && { claims }) };
}

/** The first choice of a field, which a form has unless another one is chosen. */
const firstOf = ({ options = {} }: Part) => `${Object.keys(options)[0]}`;

/** The subject of a form that is not filled yet. */
export const subjectSoFar = ({ fields, subjectOf }: Description, typed: Fields) =>
  subjectOf(
    Object.fromEntries(
      fields.map((field) => [
        field.name,
        typed[field.name]?.trim() || (field.options ? firstOf(field) : '…'),
      ]),
    ),
  );
