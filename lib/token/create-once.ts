import { Answer } from '../contract/answer.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Actor } from '../event/account-event.ts';
import { Failure, ignore } from '../failure.ts';
import type { Account } from '../item/account.ts';
import type { MadeToken } from '../item/made-token.ts';
import { isLive, type Limits } from '../item/token.ts';
import type { Announcing } from '../outbox/announcement.ts';
import type { Runtime } from '../runtime.ts';
import { formerMadeTokenKey, madeTokenKey, tokenKey } from '../table/keys.ts';
import { get, getAll } from '../table/read.ts';
import type { TransactWrite } from '../table/write.ts';
import { DAY_MS } from '../time.ts';
import { createToken, type Note } from './create.ts';
import { type CreatedToken, createdToken } from './record.ts';
import { type Repeatable, seal, unseal } from './seal.ts';
import { hashApiToken } from './secret.ts';
import { type RequestedTerms, termsOf } from './terms.ts';

/** How long a request may be repeated. */
const REPEATABLE_MS = DAY_MS;

/** A validated request for a token. */
interface Requested {
  readonly actor: Actor;
  readonly limits: Limits;
  readonly params: { readonly token_name: string };
  readonly body: RequestedTerms;
  readonly headers: { readonly 'idempotency-key'?: string | undefined };
  readonly event: GatewayEvent;
}

/** Creates an API token as requested, once for each `Idempotency-Key`. */
export function createRequested(
  runtime: Announcing,
  owner: Account,
  { actor, limits, params: { token_name }, body, headers: { 'idempotency-key': key }, event }: Requested,
  credentialOf: (event: GatewayEvent, allowQueryToken: boolean) => { readonly value: string },
) {
  const create = (note?: Note) =>
    createToken(runtime, owner, token_name, actor, termsOf(runtime, owner, body, limits), note);
  if (key === undefined) return create();
  const { value: credential } = credentialOf(event, runtime.settings.AllowQueryToken);
  const asked = Object.keys({ ...body, ...limits }).length > 0 ? JSON.stringify([body, limits]) : undefined;
  return createTokenOnce(runtime, owner, token_name, actor, { key, credential, asked }, create);
}

/** A request that may be repeated. */
interface Once extends Omit<Repeatable, 'by'> {
  /** Requested terms and limits of the credential as text; undefined without any. */
  readonly asked?: string | undefined;
}

/**
 * Creates an API token, or returns the token that this account has created with the same key within a day, whatever the
 * session.
 *
 * @param create creates the token, or its new secret, together with this write
 * @throws Failure `token_exists`, `token_limit`, `account_cancelled`; `idempotency_key_reused` if the key was used
 *   for another token, `token_deleted` if the token was deleted
 */
export async function createTokenOnce(
  runtime: Announcing,
  owner: Account,
  name: string,
  actor: Actor,
  { asked, ...request }: Once,
  create: (note: Note) => Promise<CreatedToken> = (note) =>
    createToken(runtime, owner, name, actor, {}, note),
): Promise<CreatedToken | Answer<CreatedToken>> {
  const { table, now } = runtime;
  const repeatable = { ...request, by: actor.by };
  const requested = asked === undefined ? {} : { terms: hashApiToken(asked) };
  const key = madeTokenKey(actor.by, repeatable.key);
  const repeat = async () => {
    const [own, former] = await getAll(table, [key, formerMadeTokenKey(actor.by, repeatable.key)]);
    const made = own ?? former;
    return made && made.ttl * 1000 > now()
      ? answerAgain(runtime, made, { ...repeatable, ...requested, username: owner.username, name })
      : undefined;
  };
  const note = (token: CreatedToken): TransactWrite => {
    const time = now();
    const secret = token.value;
    const made: MadeToken = {
      username: owner.username,
      name,
      sha256: hashApiToken(secret),
      ...requested,
      ...seal(secret, repeatable, runtime.random),
      ttl: Math.ceil((time + REPEATABLE_MS) / 1000),
    };
    return {
      Put: {
        Item: { ...key, ...made },
        // DynamoDB may remove expired items days later.
        ConditionExpression: 'attribute_not_exists(PK) OR #ttl <= :now',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': time / 1000 },
      },
      otherwise: 'idempotency_key_reused',
    };
  };

  const before = await repeat();
  if (before) return before;
  const created = await create(note).catch(ignore('idempotency_key_reused'));
  // Another request with the same key was faster.
  const token = created ?? (await repeat());
  if (!token) throw new Failure('unavailable', { retryAfter: 1 });
  return token;
}

async function answerAgain(
  { table, now }: Runtime,
  made: MadeToken,
  { username, name, terms, ...repeatable }: Repeatable & Pick<MadeToken, 'username' | 'name' | 'terms'>,
): Promise<Answer<CreatedToken>> {
  if (made.username !== username || made.name !== name || made.terms !== terms)
    throw reused('Idempotency-Key', 'Was used for another token');
  const secret = unseal(made, repeatable);
  if (secret === undefined) throw reused('Authorization', 'Must be the credential of the first request');
  const item = await get(table, tokenKey(made.sha256));
  if (!item || !isLive(item, now())) throw new Failure('token_deleted');
  const { token_used_at: _, ...unused } = item;
  return new Answer(createdToken(unused, secret), { changed: false });
}

const reused = (field: string, message: string) =>
  new Failure('idempotency_key_reused', { errors: [{ field, message }] });
