import type { Claims } from '#lib/item/trust';
import type { FieldProps, Fields } from '../form.tsx';

/** What a trust requires of the tokens of its issuer. */
export interface Requirements {
  readonly subject: string;
  readonly claims?: Claims;
}

/** How people describe the tokens of a platform. */
export interface Description {
  /** What describes them, in a list. */
  readonly label: string;
  readonly fields: readonly FieldProps[];
  readonly subjectOf: (fields: Fields) => string;
  readonly claimsOf?: (fields: Fields) => Claims | undefined;
}

const NUMBER = { inputMode: 'numeric', pattern: '\\d+', title: 'Only digits', required: true } as const;
const NAME = { spellcheck: false, autocapitalize: 'none', autocomplete: 'off', required: true } as const;

const EXACT = { pattern: '[^*]+', title: 'One name, without *' } as const;

/** A part of a subject: GitHub writes a colon in it so. */
const part = (text = '') => text.replaceAll(':', '%3A');

const REPOSITORY = {
  ...NAME,
  label: 'Repository',
  name: 'repository',
  placeholder: 'octo-org/octo-repo',
  pattern: '[\\w.\\-]+/[\\w.\\-]+',
  title: 'The owner, a slash and the name',
};

/** The owner and the name of a repository, each with its ID where GitHub adds it. */
function repositoryOf({ repository = '', repository_id, owner_id, form }: Fields): string {
  const [owner, name = '…'] = repository.split('/');
  return form === 'old' ? `${owner}/${name}` : `${owner}@${owner_id}/${name}@${repository_id}`;
}

const github: Description = {
  label: 'Repository on GitHub',
  fields: [
    REPOSITORY,
    {
      ...NUMBER,
      label: 'ID of the repository',
      name: 'repository_id',
      hint: 'It and the ID of its owner are “id” and “owner.id” at https://api.github.com/repos/<owner>/<name>, for a private one in “gh api repos/<owner>/<name>”. Whoever gets the name later has other IDs.',
    },
    { ...NUMBER, label: 'ID of its owner', name: 'owner_id' },
    {
      label: 'Subjects of the repository',
      name: 'form',
      options: { new: 'have the IDs', old: 'have only the names' },
      hint: 'They have the IDs if the repository was created or renamed since 15 July 2026, or if its settings say so.',
    },
    {
      label: 'Which jobs sign in',
      name: 'scope',
      options: { branch: 'those of a branch', environment: 'those of an environment' },
    },
    { ...NAME, ...EXACT, label: 'Branch or environment', name: 'place', placeholder: 'main' },
  ],
  subjectOf: (fields) =>
    fields['scope'] === 'environment'
      ? `repo:${repositoryOf(fields)}:environment:${part(fields['place'])}`
      : `repo:${repositoryOf(fields)}:ref:refs/heads/${fields['place']}`,
  claimsOf: ({ repository_id = '', owner_id = '' }) => ({ repository_id, repository_owner_id: owner_id }),
};

const gitlab: Description = {
  label: 'Project on GitLab',
  fields: [
    { ...NAME, label: 'Project', name: 'project', placeholder: 'group/project' },
    {
      ...NUMBER,
      label: 'ID of the project',
      name: 'project_id',
      hint: 'In the menu of the project, next to its name. Whoever gets the name later has another ID.',
    },
    {
      ...NAME,
      ...EXACT,
      label: 'Branch',
      name: 'place',
      placeholder: 'main',
      hint: 'Protect it: whoever can push to it signs in.',
    },
  ],
  subjectOf: ({ project, place }) => `project_path:${project}:ref_type:branch:ref:${place}`,
  claimsOf: ({ project_id = '' }) => ({ project_id }),
};

const kubernetes: Description = {
  label: 'Service account of a cluster',
  fields: [
    { ...NAME, label: 'Namespace', name: 'namespace', placeholder: 'jobs' },
    {
      ...NAME,
      label: 'Service account',
      name: 'account',
      placeholder: 'report',
      pattern: '(?!default$).+',
      title: 'Not “default”, which every pod of the namespace has',
      hint: 'One of its own: every pod has “default”.',
    },
  ],
  subjectOf: ({ namespace, account }) => `system:serviceaccount:${namespace}:${account}`,
};

const google: Description = {
  label: 'Service account of Google Cloud',
  fields: [
    {
      ...NUMBER,
      label: 'Unique ID of the service account',
      name: 'account',
      placeholder: '112233445566778899001',
      hint: 'gcloud iam service-accounts describe <e-mail> --format="value(uniqueId)". Not the e-mail address: another account may get it.',
    },
  ],
  subjectOf: ({ account }) => `${account}`,
};

const aws: Description = {
  label: 'Role of AWS',
  fields: [
    {
      ...NUMBER,
      label: 'Account',
      name: 'account',
      placeholder: '123456789012',
      pattern: '\\d{12}',
      title: '12 digits',
    },
    {
      ...NAME,
      label: 'Role',
      name: 'role',
      placeholder: 'report',
      pattern: '[\\w+=,.@/\\-]+',
      title: 'The name of the role, without *',
      hint: 'With its path, if it has one: jobs/report',
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
  throw 'The claims are no JSON object. Correct them, such as {"project_id": "22"}.';
}

/** Any token, by what is written in it. */
export const WRITTEN: Description = {
  label: 'Subject and claims',
  fields: [
    { ...NAME, label: 'Subject', name: 'subject', hint: 'Exact, or with * as its end after : or /' },
    {
      label: 'Claims',
      name: 'claims',
      isLong: true,
      spellcheck: false,
      placeholder: '{"project_id": "22"}',
      hint: 'What the tokens must have besides, as a JSON object of exact values.',
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

/** The subject of a form that is not filled yet. */
export const subjectSoFar = ({ fields, subjectOf }: Description, typed: Fields) =>
  subjectOf(
    Object.fromEntries(
      fields.map(({ name, options }) => [
        name,
        typed[name]?.trim() || (options ? `${Object.keys(options)[0]}` : '…'),
      ]),
    ),
  );
