import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { CoreAccountError, type Credential, createClient } from '#lib/client/index';
import type { Answer, Operation, Session } from './account-model.ts';
import type { Entry } from './linearisable.ts';
import type { Service } from './running-instance.ts';

/** Performs operations on one account, and keeps their answers. */
export function openClient(service: Service, username: string) {
  const history: Entry[] = [];
  /** Answers that are not in the contract. */
  const broken: string[] = [];
  const secrets: string[] = [];
  /** Session tokens, each with its session. */
  const sessions: [Session, string][] = [];

  const perform = async (operation: Operation) => {
    const url = await service.url();
    const as = (credential?: Credential) => createClient({ url, credential, tries: 1 });
    const start = performance.now();
    const answer: unknown[] = await send(operation, as).catch((error) => {
      if (error instanceof CoreAccountError) return [error.status];
      throw error;
    });
    const status = answer[0] as number;
    const known = status !== 0 && status !== 503;
    if (known && status >= 500) broken.push(`${operation.kind}: ${status}`);
    const end = known ? performance.now() : Number.POSITIVE_INFINITY;
    history.push({ operation, start, end, answer: known ? answer : undefined });
    if (!known) await sleep(100);
  };

  /** @throws CoreAccountError unless the operation succeeds */
  const send = async (
    operation: Operation,
    as: (credential?: Credential) => ReturnType<typeof createClient>,
  ): Promise<NonNullable<Answer> & unknown[]> => {
    const { account, token } = as({ token: service.adminToken });
    switch (operation.kind) {
      case 'create': {
        const { value } = await token.create({ token_name: operation.token, username });
        secrets.push(value as string);
        return [200, value];
      }
      case 'delete':
        await token.delete({ token_name: operation.token, username });
        return [200];
      case 'copy': {
        const source = service.sources.find(({ roles }) => roles === operation.roles)?.username as string;
        const copy = { source_username: source, target_username: username };
        return [200, (await account.copy(copy)).roles_added];
      }
      case 'list':
        return [200, (await token.listUser({ username })).items.map(({ name }) => name).sort()];
      case 'profile': {
        const { user, roles = [] } = await account.profile({ username });
        return [200, user?.user_first_name, roles.toSorted()];
      }
      case 'use':
        await as({ token: operation.secret }).system.ping();
        return [200];
      case 'rename':
        await as({ token: operation.secret }).account.profileUpdate({ user_first_name: operation.name });
        return [200];
      case 'login': {
        const { JWTtoken } = await as().account.login({ username: 'api', password: operation.secret });
        const stamp = decodeJwt(JWTtoken)['sst'] as string;
        sessions.push([{ stamp, secret: operation.secret }, JWTtoken]);
        return [200, stamp];
      }
      case 'session':
      case 'logout': {
        const own = as({
          session: sessions.find(([session]) => session === operation.session)?.[1] as string,
        });
        // Unlike ping, the list is never answered from a cache while DynamoDB is unreachable.
        await (operation.kind === 'session' ? own.token.listOwn() : own.account.logout());
        return [200];
      }
      case 'events':
        throw new Error('Events are read from the bus');
      default: {
        const { changed, isactive, islocked } = await account[operation.kind]({ username });
        return [200, changed, isactive, islocked];
      }
    }
  };

  return { history, broken, secrets, sessions, perform };
}
