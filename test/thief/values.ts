import { ROLES } from '#lib/contract/contract';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { passkeyIdOf } from '#lib/passkey/passkey';
import { RESOURCE } from './elsewhere.ts';
import { type Name, passwordOf } from './people.ts';
import { ISSUER, OTHER_TRUST, subjectOf, TRUST } from './platform.ts';
import { deviceFor, devices, isCredential, type Secret, wordsOf } from './secrets.ts';

/** What decides the values of a request. */
export interface Scene {
  readonly now: number;
  /** Who acts: whose secrets these are. */
  readonly actor: Name;
  readonly secrets: readonly Secret[];
  /** The account of the credential, if the request has one. */
  readonly caller: Name | undefined;
  /** Whom the request is about. */
  readonly target: Name | undefined;
  readonly creates: boolean;
  readonly existing: readonly Name[];
}

/** A value, with the same words in each state where it is the same. */
export interface Value {
  readonly words: string;
  readonly value: unknown;
  /** The account whose secret it is. */
  readonly of?: Name;
  /** The device that answers a challenge in place of a value. */
  readonly device?: string;
}

const TRUSTS = [TRUST, OTHER_TRUST];

const isElsewhere = ({ kind }: Secret) => kind === 'token for another service';
const isPlatformToken = ({ kind }: Secret) => kind === 'platform token';

const word = (value: string): Value => ({ words: value, value });
const known = ({ secrets, target, now }: Scene, kind: Secret['kind']): Value[] =>
  secrets
    .filter(
      (secret) => secret.kind === kind && (target === undefined || secret.of === target) && secret.works,
    )
    .map((secret) => ({ words: `the ${wordsOf(secret, now)}`, value: secret.value, of: secret.of }));

const theDevice = (id: string, words: string): Value => ({ words, value: undefined, device: id });

/** Values of a field that no state decides, where its schema and its sample lack some. */
export const GIVEN: Readonly<Record<string, readonly unknown[]>> = {
  grant_type: [GRANT_TYPES.assertion, GRANT_TYPES.client, GRANT_TYPES.exchange],
  subject_token_type: [TOKEN_TYPES.access],
};

/**
 * Values by the name of a field or of a parameter, as far as the state decides them. A contract with these names takes part
 * without an entry; all other fields have the values of its schema and its samples.
 */
/** The username with which a token logs in. */
export const API = 'api' as Name;

export const VALUES: Readonly<Record<string, (scene: Scene, creates: boolean) => readonly Value[]>> = {
  username: ({ existing, creates }) => (creates ? ['created'] : existing).map(word),
  target_username: ({ existing }) => existing.map(word),
  source_username: ({ existing }) => existing.map(word),
  kind: () => [word('machine')],
  owner: () => [word('administrator')],
  trust_name: () => TRUSTS.map(word),
  issuer: () => [word(ISSUER)],
  subject: ({ actor }) => [word(subjectOf(actor))],
  client_id: ({ existing, secrets }) =>
    secrets.some(isPlatformToken)
      ? existing.flatMap((of) => TRUSTS.map((trust) => ({ ...word(`${trust}@${of}`), of })))
      : [],
  client_secret: (scene) => known({ ...scene, target: undefined }, 'token'),
  // Also one that no trust accepts, as long as it has not expired.
  assertion: ({ secrets, now }) =>
    secrets
      .filter((secret) => isPlatformToken(secret) && !secret.ended)
      .map((secret) => ({ words: `the ${wordsOf(secret, now)}`, value: secret.value, of: secret.of })),
  resource: () => [word(RESOURCE)],
  subject_token: ({ secrets, now }) =>
    secrets
      .filter((secret) => isElsewhere(secret) || (isCredential(secret) && secret.works))
      .map((secret) => ({ words: `the ${wordsOf(secret, now)}`, value: secret.value, of: secret.of })),
  token_name: () => [word('laptop'), word('x')],
  passkey_name: () => [word('phone'), word('x')],
  session_id: ({ secrets, target }) =>
    secrets
      .filter(({ kind, of }) => kind === 'session' && of === target)
      .map(({ value, about }) => ({ words: `its session (${about})`, value: idOf(value) })),
  roles: () => ROLES.map((role) => ({ words: role, value: [role] })),
  teams: () => [],
  apps: () => [],
  password: (scene) =>
    scene.target === API ? known({ ...scene, target: undefined }, 'token') : known(scene, 'password'),
  current_password: (scene) => known({ ...scene, target: scene.caller }, 'password'),
  code: (scene) => known(scene, 'code'),
  new_password: ({ target, caller, actor }) => {
    const of = target ?? caller;
    return of ? [{ words: `a password of the ${actor}`, value: passwordOf(of, actor) }] : [];
  },
  token: ({ secrets, now }) =>
    secrets
      .filter((secret) => isCredential(secret) && secret.works)
      .map((secret) => ({ words: `the ${wordsOf(secret, now)}`, value: secret.value, of: secret.of })),
  credential: ({ secrets, caller, actor }, creates) => {
    const held = secrets.filter(({ kind, of }) => kind === 'device' && (!creates || of === caller));
    const all = held.map(({ value, of }) =>
      theDevice(value, `the device of the ${devices.get(passkeyIdOf(value))?.holder} for ${of}`),
    );
    const own = creates && caller ? deviceFor(actor, caller).device.id : undefined;
    return own === undefined || held.some(({ value }) => value === own)
      ? all
      : [...all, theDevice(own, `the device of the ${actor} for ${caller}`)];
  },
};

const idOf = (jwt: string) =>
  (JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as { readonly jti: string }).jti;
