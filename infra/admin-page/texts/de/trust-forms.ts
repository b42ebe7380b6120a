import type * as en from '../en/trust-forms.ts';

export const forms: typeof en.forms = {
  digits: 'Nur Ziffern',
  exact: 'Ein Name, ohne *',
  github: {
    label: 'Repository auf GitHub',
    repository: 'Repository',
    repositoryTitle: 'Der Besitzer, ein Schrägstrich und der Name',
    repositoryId: 'ID des Repositorys',
    ownerId: 'ID seines Besitzers',
    ids: 'Beide IDs, „id“ und „owner.id“, stehen unter https://api.github.com/repos/<owner>/<name>. Wer den Namen später bekommt, hat andere.',
    form: 'Subjects des Repositorys',
    forms: { new: 'enthalten die IDs', old: 'enthalten nur die Namen' },
    formHint:
      'Sie enthalten die IDs, wenn das Repository seit dem 15. Juli 2026 erstellt oder umbenannt wurde, oder wenn seine Einstellungen es so vorsehen.',
    scope: 'Welche Jobs sich anmelden',
    scopes: { branch: 'die eines Branchs', environment: 'die einer Umgebung' },
    branch: 'Branch',
    environment: 'Umgebung',
  },
  gitlab: {
    label: 'Projekt auf GitLab',
    project: 'Projekt',
    projectId: 'ID des Projekts',
    projectIdHint:
      'Im Menü des Projekts, neben seinem Namen. Wer den Namen später bekommt, hat eine andere ID.',
    branch: 'Branch',
    branchHint: 'Schützen Sie ihn: Wer ihn ändern darf, meldet sich an.',
  },
  kubernetes: {
    label: 'Dienstkonto eines Clusters',
    namespace: 'Namespace',
    account: 'Dienstkonto',
    accountTitle: 'Nicht „default“, das jeder Pod des Namespace hat',
    accountHint: 'Ein eigenes: Jeder Pod hat „default“.',
  },
  google: {
    label: 'Dienstkonto von Google Cloud',
    account: 'Eindeutige ID des Dienstkontos',
    accountHint:
      'gcloud iam service-accounts describe <e-mail> --format="value(uniqueId)". Nicht die E-Mail-Adresse: Ein anderes Konto kann sie bekommen.',
  },
  aws: {
    label: 'Rolle von AWS',
    account: 'Konto',
    accountTitle: '12 Ziffern',
    role: 'Rolle',
    roleTitle: 'Der Name der Rolle, ohne *',
    roleHint: 'Mit ihrem Pfad, falls sie einen hat: jobs/report',
  },
  written: {
    label: 'Subject und Claims',
    subject: 'Subject',
    subjectHint: 'Genau, oder mit * am Ende nach : oder /',
    claims: 'Claims',
    claimsHint: 'Was die Tokens außerdem enthalten müssen, als JSON-Objekt mit genauen Werten.',
    noObject: 'Die Claims sind kein JSON-Objekt. Berichtigen Sie sie, etwa {"project_id": "22"}.',
  },
  places: {
    kubernetes: 'job.yaml, für „kubectl create -f job.yaml“',
    google: 'Ein Skript, wo das Dienstkonto läuft: virtuelle Maschine, Cloud Run, Funktion',
    aws: 'Ein Skript, das mit der Rolle läuft',
    other: 'Ein Skript des Programms',
  },
  beforeAws:
    'Das Konto erlaubt solche Tokens: „aws iam enable-outbound-web-identity-federation“, einmal. Die Rolle hat das Recht sts:GetWebIdentityToken.',
};
