import { createLocalJWKSet, jwtVerify } from 'jose';
import { beforeEach, expect } from 'vitest';
import { Failure } from '#lib/failure/failure';
import { resourceKeySet } from '#lib/oauth/jwks';
import { RESOURCE_KEYS } from '#lib/resource/key-use';
import { signResourceToken } from '#lib/resource/resource-token';
import { MAX_RESOURCE_MINUTES } from '#lib/resource/resources';
import { OF_RESOURCES } from '#lib/resource/rotation';
import { findKeyVersion, type PrivateKey, SIGNING, signerOf } from '#lib/session/key-version';
import { CHECK_MS, GATEWAY_CACHE_SECONDS, RESOURCE_LEAD_MS } from '#lib/session/lead';
import { publishKey, revokeKey } from '#lib/session/publish-key';
import type { SigningKey } from '#lib/session/session-token';
import { keyFromSecret } from '#lib/session/signing-key';
import { put } from '#lib/table/write';
import { openKeyRing } from '../session/key-ring.ts';
import { NOON } from '../support/engine.ts';

export const MINUTE = 60_000;
/** In minutes. */
export const LEAD = RESOURCE_LEAD_MS / MINUTE;
const CACHE_MS = GATEWAY_CACHE_SECONDS * 1000;
const NAMES = { iss: 'https://accounts.example.com', aud: 'https://orders.example.com' };

/** The gateways that fetched the keys from one moment until the next: they use these for two hours, and fetch none earlier. */
interface Gateways {
  readonly findKey: ReturnType<typeof createLocalJWKSet>;
  /** Names the set. */
  readonly kids: string;
  /** Time of their last fetch that still answered this set; infinite so far. */
  until: number;
}

interface Token {
  readonly text: string;
  readonly kid: string;
  readonly expiresAt: number;
}

/** A stack: a secret, and execution environments that hold its keys. */
interface Stack {
  readonly secret: string;
  readonly environments: (() => Promise<SigningKey>)[];
  unavailableSince: number | undefined;
}

/** What a scenario came to, in minutes. */
export interface Figures {
  /** From the first token that some gateway refused to the last. */
  readonly refused: number;
  /** How long a stack answered 503. */
  readonly unavailable: number;
  /** How long some gateway accepted a revoked key, whose thief goes on signing. */
  readonly revokedAccepted: number;
}

/** What happens, by minutes after noon. */
export type Events = Readonly<Record<number, () => unknown>>;

/**
 * Minutes after an event at which tokens are issued: one by one while environments hold keys of before, then around the times
 * at which gateways fetch again, a key signs, and a retired one is removed. Nothing changes in between.
 */
const MOMENTS = [0, 1, 2, 3, 4, 5, 16, 120, LEAD, LEAD + 5, 152, 170];

const minutes = (ms: number) => Math.round(ms / MINUTE);

/**
 * Simulates gateways that cache the keys for exactly two hours. As a set stays the same from one change to the next, all
 * gateways that fetched in between are one: they stand for every moment of a fetch, also those directly before and after an
 * event. Every token is verified by all of them, at once and until it expires. Call it once at the top of a test file.
 */
export async function openGateways() {
  const ring = await openKeyRing(OF_RESOURCES);
  const { table, clock, runtime, rotation } = ring;
  let gateways: Gateways[] = [];
  let tokens: Token[] = [];
  let stacks: Stack[] = [];
  let revoked: { readonly signer: SigningKey; readonly at: number }[] = [];
  let refusals: { readonly at: number; readonly by: Gateways }[] = [];
  let accepted: { readonly at: number; readonly by: Gateways }[] = [];
  let unavailable = 0;
  let obeysNoStore = true;
  const verified = new Map<string, boolean>();

  beforeEach(() => {
    [gateways, tokens, stacks, revoked, refusals, accepted, unavailable] = [[], [], [], [], [], [], 0];
    obeysNoStore = true;
    verified.clear();
  });

  /** Gateways fetch the keys, at the time of the clock. */
  const fetchKeys = async () => {
    const { data, headers } = await resourceKeySet(runtime);
    const kids = data.keys.map(({ kid }) => kid).sort();
    const last = gateways.at(-1);
    if (last) last.until = clock.time;
    // A set that stays the same is fetched by the same gateways.
    if (last?.kids === kids.join()) {
      last.until = Number.POSITIVE_INFINITY;
      return;
    }
    const isStored = headers?.['cache-control'] !== 'no-store' || !obeysNoStore;
    if (isStored)
      gateways.push({ findKey: createLocalJWKSet(data), kids: kids.join(), until: Number.POSITIVE_INFINITY });
  };

  const accepts = async ({ findKey, kids }: Gateways, { text }: Token) => {
    const known = verified.get(`${kids} ${text}`);
    if (known !== undefined) return known;
    const { iss: issuer, aud: audience } = NAMES;
    const currentDate = new Date(clock.time);
    const expected = { issuer, audience, currentDate, algorithms: ['RS256'], typ: 'at+jwt' };
    const result = await jwtVerify(text, findKey, expected).then(
      () => true,
      ({ code }) => {
        expect(code).toBe('ERR_JWKS_NO_MATCHING_KEY');
        return false;
      },
    );
    verified.set(`${kids} ${text}`, result);
    return result;
  };

  const sign = async (signer: SigningKey): Promise<Token> => {
    const iat = Math.floor(clock.time / 1000);
    const exp = iat + MAX_RESOURCE_MINUTES * 60;
    const claims = { ...NAMES, sub: 'ada', client_id: 'ci', roles: [], jti: 'id', iat, exp };
    return { text: await signResourceToken(signer, claims), kid: signer.kid, expiresAt: exp * 1000 };
  };

  const isRevoked = (kid: string) => revoked.some(({ signer }) => signer.kid === kid);
  const open = ({ secret }: Stack) => keyFromSecret(runtime, RESOURCE_KEYS, secret);

  /** Opens an environment that holds what is current directly before an event, beside the first one of the stack. */
  const openBefore = async (stack: Stack) => {
    stack.environments.splice(1, 1, open(stack));
    for (const environment of stack.environments) await environment().catch(() => undefined);
  };

  /** All environments of a stack are asked for a token: those that hold keys, and a new one. */
  const issue = async (stack: Stack) => {
    const chosen = new Map<string, SigningKey>();
    const asked = [...stack.environments, open(stack)].map((environment) => environment());
    for (const answer of await Promise.allSettled(asked)) {
      if (answer.status === 'fulfilled') chosen.set(answer.value.kid, answer.value);
      else {
        expect(answer.reason).toBeInstanceOf(Failure);
        stack.unavailableSince ??= clock.time;
      }
    }
    for (const signer of chosen.values()) {
      expect(isRevoked(signer.kid), 'an environment signs with a revoked key').toBe(false);
      tokens.push(await sign(signer));
    }
    if (chosen.size === 0 || stack.unavailableSince === undefined) return;
    unavailable = Math.max(unavailable, clock.time - stack.unavailableSince);
    stack.unavailableSince = undefined;
  };

  /** Every gateway verifies every token, and those of the thieves. */
  const verify = async () => {
    gateways = gateways.filter(({ until }) => until + CACHE_MS > clock.time);
    tokens = tokens.filter(({ kid, expiresAt }) => expiresAt > clock.time && !isRevoked(kid));
    for (const by of gateways)
      for (const token of tokens) if (!(await accepts(by, token))) refusals.push({ at: clock.time, by });
    for (const { signer, at } of revoked) {
      const stolen = await sign(signer);
      for (const by of gateways) if (await accepts(by, stolen)) accepted.push({ at, by });
    }
  };

  return {
    ...ring,
    /** Whether gateways fetch again after an answer that must not be stored. */
    obeyNoStore(obeys: boolean) {
      obeysNoStore = obeys;
    },
    /** A stack, which is asked for tokens from now on; that of the test by default. */
    start(secret = ring.secretId()): Stack {
      const stack: Stack = { secret, environments: [], unavailableSince: undefined };
      stacks.push(stack);
      return stack;
    },
    stop(stack: Stack) {
      stacks = stacks.filter((each) => each !== stack);
    },
    /** Revokes a key, with which a thief goes on signing. */
    async revoke(stage: 'signing' | 'successor', secret = ring.secretId()) {
      const input = { SecretId: secret, VersionStage: stage === 'signing' ? SIGNING : 'AWSCURRENT' };
      const key = await findKeyVersion(rotation.secrets, input);
      const signer = signerOf(key?.jwk as PrivateKey);
      await revokeKey(table, signer.kid, clock.time, RESOURCE_KEYS);
      revoked.push({ signer, at: clock.time });
    },
    /** Publishes both keys, as a check of a restored table does. */
    async publishRing(SecretId = ring.secretId()) {
      for (const VersionStage of ['AWSCURRENT', SIGNING]) {
        const key = await findKeyVersion(rotation.secrets, { SecretId, VersionStage });
        if (key) await publishKey(table, key, clock.time, RESOURCE_KEYS);
      }
    },
    /** Copies the public keys. @returns a function that has the table as it was */
    async copy() {
      const items = await ring.publicKeys();
      return async () => {
        for (const { jwk } of await ring.publicKeys()) await ring.removeKey(jwk.kid);
        for (const item of items) await put(table, RESOURCE_KEYS.itemKey(item.jwk.kid), item);
      };
    },
    /**
     * Lets time pass: gateways fetch, and environments issue tokens, at each of {@link MOMENTS} after each event.
     *
     * @param begin minute after noon
     * @param events by their minutes
     * @param end last minute
     */
    async pass(begin: number, events: Events, end = Number.POSITIVE_INFINITY) {
      const times = [begin, ...Object.keys(events).map(Number)];
      const moments = new Set(times.flatMap((at) => MOMENTS.map((minute) => at + minute)));
      for (const minute of [...moments].sort((one, other) => one - other)) {
        if (minute > end) break;
        clock.time = NOON + minute * MINUTE;
        await fetchKeys();
        const event = events[minute];
        if (event) {
          for (const stack of stacks) await openBefore(stack);
          await event();
          await fetchKeys();
        }
        clock.time += CHECK_MS;
        for (const stack of stacks) await issue(stack);
        // An environment may have published keys.
        await fetchKeys();
        await verify();
      }
    },
    figures(): Figures {
      const longest = (found: typeof refusals, from = Math.min(...found.map(({ at }) => at))) =>
        found.length > 0 ? minutes(Math.max(...found.map(({ by }) => by.until + CACHE_MS - from))) : 0;
      for (const { unavailableSince = clock.time } of stacks)
        unavailable = Math.max(unavailable, clock.time - unavailableSince);
      return {
        refused: longest(refusals),
        unavailable: minutes(unavailable),
        revokedAccepted: Math.max(
          0,
          ...revoked.map(({ at }) =>
            longest(
              accepted.filter((each) => each.at === at),
              at,
            ),
          ),
        ),
      };
    },
  };
}
