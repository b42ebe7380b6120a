/** Texts of the forms and snippets of platforms, which are a script of their own. */
export const forms = {
  digits: 'Only digits',
  exact: 'One name, without *',
  github: {
    label: 'Repository on GitHub',
    repository: 'Repository',
    repositoryTitle: 'The owner, a slash and the name',
    repositoryId: 'ID of the repository',
    ownerId: 'ID of its owner',
    ids: 'Both IDs, “id” and “owner.id”, are at https://api.github.com/repos/<owner>/<name>. Whoever gets the name later has others.',
    form: 'Subjects of the repository',
    forms: { new: 'have the IDs', old: 'have only the names' },
    formHint:
      'They have the IDs if the repository was created or renamed since 15 July 2026, or if its settings say so.',
    scope: 'Which jobs sign in',
    scopes: { branch: 'those of a branch', environment: 'those of an environment' },
    branch: 'Branch',
    environment: 'Environment',
  },
  gitlab: {
    label: 'Project on GitLab',
    project: 'Project',
    projectId: 'ID of the project',
    projectIdHint:
      'In the menu of the project, next to its name. Whoever gets the name later has another ID.',
    branch: 'Branch',
    branchHint: 'Protect it: whoever can push to it signs in.',
  },
  kubernetes: {
    label: 'Service account of a cluster',
    namespace: 'Namespace',
    account: 'Service account',
    accountTitle: 'Not “default”, which every pod of the namespace has',
    accountHint: 'One of its own: every pod has “default”.',
  },
  google: {
    label: 'Service account of Google Cloud',
    account: 'Unique ID of the service account',
    accountHint:
      'gcloud iam service-accounts describe <e-mail> --format="value(uniqueId)". Not the e-mail address: another account may get it.',
  },
  aws: {
    label: 'Role of AWS',
    account: 'Account',
    accountTitle: '12 digits',
    role: 'Role',
    roleTitle: 'The name of the role, without *',
    roleHint: 'With its path, if it has one: jobs/report',
  },
  written: {
    label: 'Subject and claims',
    subject: 'Subject',
    subjectHint: 'Exact, or with * as its end after : or /',
    claims: 'Claims',
    claimsHint: 'What the tokens must have besides, as a JSON object of exact values.',
    noObject: 'The claims are no JSON object. Correct them, such as {"project_id": "22"}.',
  },
  places: {
    kubernetes: 'job.yaml, for “kubectl create -f job.yaml”',
    google: 'A script where the service account runs: a virtual machine, Cloud Run, a function',
    aws: 'A script that runs with the role',
    other: 'A script of the program',
  },
  beforeAws:
    'The account allows such tokens: “aws iam enable-outbound-web-identity-federation”, once. The role has the permission sts:GetWebIdentityToken.',
};
