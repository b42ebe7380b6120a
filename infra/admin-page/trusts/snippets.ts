import { forms as t } from '#texts/trust-forms';

/** A trust, and the service for which its snippet is. */
export interface Use {
  /** `<trust>@<machine>`. */
  readonly client: string;
  readonly subject: string;
  /** Base URL of the service, without a final slash. */
  readonly url: string;
  /** Audience of the tokens of its issuer. */
  readonly audience: string;
}

/** A file or a script, with what must be so before it works. */
export interface Snippet {
  readonly text: string;
  /** Where it belongs. */
  readonly place: string;
  readonly before?: string;
}

/** A text as one word of a shell. */
const word = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A text as a value of YAML: JSON is YAML. */
const value = (text: string) => JSON.stringify(text);

const indent = (lines: string, spaces: number) => lines.replace(/^(?=.)/gm, ' '.repeat(spaces));

/** Exchanges the token in `TOKEN` for a session, and calls with it. */
const call = ({ url, client }: Use) => `ANSWER=$(curl -sS ${word(`${url}/api/core/oauth/token`)} \\
  -d grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer \\
  --data-urlencode ${word(`client_id=${client}`)} --data-urlencode "assertion=$TOKEN")
SESSION=$(echo "$ANSWER" | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')
curl -sS --fail-with-body ${word(`${url}/api/core/account/profile`)} -H "Authorization: Bearer \${SESSION:?$ANSWER}"`;

const github = (use: Use): Snippet => {
  const [, environment] = /:environment:(.*)$/.exec(use.subject) ?? [];
  const [, branch = 'main'] = /:ref:refs\/heads\/(.*)$/.exec(use.subject) ?? [];
  const named = environment?.replaceAll('%3A', ':');
  return {
    place: '.github/workflows/core-account.yml',
    text: `name: Call core-account
on:
${named === undefined ? `  push:\n    branches: [${value(branch)}]` : '  workflow_dispatch:'}
permissions:
  id-token: write
jobs:
  call:
    runs-on: ubuntu-latest
${named === undefined ? '' : `    environment: ${value(named)}\n`}    steps:
      - run: |
          TOKEN=$(curl -sS -G "$ACTIONS_ID_TOKEN_REQUEST_URL" --data-urlencode ${word(`audience=${use.audience}`)} \\
            -H "Authorization: Bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" | sed -n 's/.*"value": *"\\([^"]*\\)".*/\\1/p')
${indent(call(use), 10)}
`,
  };
};

const gitlab = (use: Use): Snippet => {
  const [, branch = 'main'] = /:ref_type:branch:ref:(.*)$/.exec(use.subject) ?? [];
  return {
    place: '.gitlab-ci.yml',
    text: `call:
  image: alpine
  id_tokens:
    TOKEN:
      aud: ${value(use.audience)}
  rules:
    - if: ${value(`$CI_COMMIT_BRANCH${branch.endsWith('*') ? '' : ` == "${branch}"`}`)}
  script:
    - apk add --no-cache curl
    - |
${indent(call(use), 6)}
`,
  };
};

const kubernetes = (use: Use): Snippet => {
  const [, , namespace = '', account = ''] = use.subject.split(':');
  return {
    place: t.places.kubernetes,
    text: `apiVersion: batch/v1
kind: Job
metadata:
  generateName: core-account-
  namespace: ${value(namespace)}
spec:
  template:
    spec:
      serviceAccountName: ${value(account)}
      restartPolicy: Never
      containers:
        - name: call
          image: curlimages/curl
          command: [sh, -c]
          args:
            - |
              TOKEN=$(cat /var/run/secrets/core-account/token)
${indent(call(use), 14)}
          volumeMounts:
            - name: core-account
              mountPath: /var/run/secrets/core-account
              readOnly: true
      volumes:
        - name: core-account
          projected:
            sources:
              - serviceAccountToken:
                  path: token
                  expirationSeconds: 600
                  audience: ${value(use.audience)}
`,
  };
};

const google = (use: Use): Snippet => ({
  place: t.places.google,
  text: `TOKEN=$(curl -sS -G -H 'Metadata-Flavor: Google' --data-urlencode ${word(`audience=${use.audience}`)} \\
  http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/identity)
${call(use)}
`,
});

const aws = (use: Use): Snippet => ({
  place: t.places.aws,
  before: t.beforeAws,
  text: `TOKEN=$(aws sts get-web-identity-token --audience ${word(use.audience)} \\
  --signing-algorithm ES384 --duration-seconds 300 --query WebIdentityToken --output text)
${call(use)}
`,
});

const other = (use: Use): Snippet => ({
  place: t.places.other,
  text: `TOKEN=... # a token of the platform for ${use.audience}
${call(use)}
`,
});

const SNIPPETS: Readonly<Record<string, (use: Use) => Snippet>> = { github, gitlab, kubernetes, google, aws };

/** What lets a program of a platform sign in, and call once. */
export const snippetOf = (platform: string, use: Use): Snippet => (SNIPPETS[platform] ?? other)(use);
