import type { Fault } from './faults.ts';

/** A mend of an attack, which a search must find again without it. */
interface Mend {
  /** The changes that take it out. */
  readonly out: readonly Fault[];
  /** Texts of the title of a start that reaches the attack. */
  readonly start: string;
  /** Options of a run that is short, and still finds it. */
  readonly options?: readonly string[];
  readonly finding: RegExp;
}

/** The mends that `--without` takes out, each by a name. */
export const MENDS: Readonly<Record<string, Mend>> = {
  'step-up-of-own-tokens': {
    out: [
      {
        file: 'lib/token/create-own.contract.ts',
        find: "stepUp: 'always'",
        replace: "stepUp: { about: 'another' }",
      },
      {
        file: 'lib/passkey/passkey-delete.contract.ts',
        find: "  ownBy: 'session',\n",
        replace: '',
      },
    ],
    start: 'a session of level 1 of a person with `sys_tokens` with a passkey,`offered`',
    options: ['--ends', '0', '--depth', '4'],
    finding: /NEW PATH .*has the session of owner \(level 2 by a passkey\)/,
  },
  'usable-passkeys': {
    out: [
      {
        file: 'lib/item/account.ts',
        find: '(enrolments[id]?.rp_id ?? domain) === domain ? [name] : [],',
        replace: '[name],',
      },
    ],
    start: 'moved,of a person with a passkey,`offered`',
    options: ['--ends', '0'],
    finding: /LOCKED OUT .*level 2/,
  },
  'end-passkeys-of-a-code': {
    out: [
      {
        file: 'lib/login/change-password.ts',
        find: 'code?.code_ends_passkeys === true',
        replace: 'false',
      },
    ],
    start: 'a passkey of a person with a passkey,`offered`',
    options: ['--ends', '1', '--depth', '0'],
    finding: /LEFT .*the device of .* works, after a code of the administrator/,
  },
  'sessions-of-an-enrolment': {
    out: [
      {
        file: 'lib/passkey/create.ts',
        find: 'const enrolment = { id: runtime.uuid(), rp_id, created_at };',
        replace: 'const enrolment = { id, rp_id, created_at };',
      },
    ],
    start: 'a session of level 2 of a person with a passkey,`offered`',
    options: ['--ends', '0', '--depth', '2'],
    finding: /REVIVED .*the session of owner \(level 2/,
  },
  // No mend prevents raw writes: what a role revives with them is in its record, and its remedy ends it.
  'remedy-of-a-role': {
    out: [
      {
        file: 'infra/remedies.ts',
        find: "steps: [{ commands: ['account reset-stamps --yes'] }, ...REVIVED],",
        replace: 'steps: [],',
      },
    ],
    start: '`account.lock` over',
    finding: /LEFT .*the session of owner .* works, after the remedy of its row\n +1\. write stamp/,
  },
  'end-of-a-trust': {
    out: [{ file: 'lib/auth/authenticate.ts', find: '          endOfTrust(account, fid) ??\n', replace: '' }],
    start: 'a session that a trust opened of a machine,`offered`',
    options: ['--ends', '1', '--depth', '0'],
    finding: /LEFT .*the session of owner \(level 1 by a trust\) works, after the remedy of its row/,
  },
  'revocation-of-a-trust': {
    out: [
      {
        file: 'lib/auth/authenticate.ts',
        find: '(tid === undefined && fid === undefined ? undefined',
        replace: '(tid === undefined ? undefined',
      },
    ],
    start: 'a session that a trust opened of a machine,`offered`',
    options: ['--ends', '1', '--depth', '0'],
    finding: /LEFT .*the session of owner \(level 1 by a trust\) works, after a revocation of its tokens/,
  },
  'id-of-a-trust': {
    out: [
      { file: 'lib/trust/create.ts', find: 'const id = runtime.uuid();', replace: 'const id = machine.id;' },
    ],
    start: 'a session that a trust opened of a machine,`offered`',
    options: ['--ends', '0', '--depth', '2'],
    finding: /REVIVED .*the session of owner \(level 1 by a trust\) had ended/,
  },
  'credentials-of-a-trust': {
    out: [
      {
        file: 'lib/http/authorization.ts',
        find: 'if (makesCredential) checkNoTrust(session);',
        replace: '',
      },
    ],
    start: 'a session that a trust opened of a machine,`offered`',
    options: ['--ends', '0', '--depth', '1'],
    finding: /NEW PATH .*has the token of owner/,
  },
  'subject-of-a-trust': {
    out: [
      {
        file: 'lib/trust/mismatch.ts',
        find: "...(meets ? [] : [fault('wrong_subject', 'sub', subject, sub)]),",
        replace: '',
      },
    ],
    start: 'a session that a trust opened of a machine,`offered`',
    options: ['--ends', '0', '--depth', '0'],
    finding: /NEW PATH .*has the platform token of thief/,
  },
  'remedy-of-a-platform': {
    out: [
      {
        file: 'infra/remedies.ts',
        find: "{ commands: ['trust delete <trust> <machine>'], each: 'trusts' },",
        replace: '',
      },
    ],
    start: 'the token that its platform gives a job of a machine,`offered`',
    options: ['--ends', '1', '--depth', '0'],
    finding: /LEFT .*the platform token of owner works, after the remedy of its row/,
  },
  'remedy-of-an-issuer': {
    out: [
      {
        file: 'infra/remedies.ts',
        find: "'trust delete --issuer <issuer> --yes', ",
        replace: '',
      },
    ],
    start: 'the key of an issuer of a machine,`offered`',
    options: ['--ends', '1', '--depth', '0'],
    finding: /LEFT .*the platform token of owner works, after the remedy of its row/,
  },
  'limits-elsewhere': {
    out: [
      {
        file: 'lib/oauth/issue-resource-token.ts',
        find: 'if (limits.access || limits.addresses)',
        replace: 'if (limits.addresses)',
      },
    ],
    start: 'a read-only token of a person with `sys_tokens` with a passkey,`offered`',
    options: ['--ends', '0', '--depth', '1'],
    finding: /BEYOND .*a token for another service has roles, a life or a use/,
  },
  'step-up-elsewhere': {
    out: [
      {
        file: 'lib/oauth/issue-resource-token.ts',
        find: '!(isOfThis(role) && refusalOf(settings, account, session, now()))',
        replace: 'true',
      },
    ],
    start: 'a session of level 1 of a person with `sys_tokens` with a passkey,`offered`',
    options: ['--ends', '0', '--depth', '1'],
    finding: /BEYOND .*a token for another service has roles, a life or a use/,
  },
  'end-elsewhere': {
    out: [
      {
        file: 'lib/oauth/issue-resource-token.ts',
        find: 'Math.min(iat + resource.minutes * 60, end)',
        replace: 'iat + 86_400',
      },
    ],
    start: 'a session of level 1 of a person with a passkey,`offered`',
    options: ['--ends', '0', '--depth', '1'],
    finding: /BEYOND .*a token for another service has a longer life/,
  },
  'sessions-elsewhere': {
    out: [
      {
        file: 'lib/oauth/own.ts',
        find: 'authenticator(runtime, undefined, publicKeys)',
        replace: 'authenticator(runtime, 86_400_000, publicKeys)',
      },
    ],
    start: 'a session of level 1 of a person with a passkey,`offered`',
    options: ['--ends', '1', '--depth', '0'],
    finding: /LEFT .*gets a token for another service, after the remedy of its row/,
  },
  'trusts-of-an-administrator': {
    out: [
      {
        file: 'infra/remedies.ts',
        find: "          'trust delete --created-by <account> --created-since <time> --yes',\n",
        replace: '',
      },
    ],
    start: 'a session of level 2 of an administrator with a passkey,`offered`',
    options: ['--ends', '60', '--depth', '1'],
    finding: /LEFT .*the platform token of thief works, after the remedy of its row\n +1\. trust\.create/,
  },
};
