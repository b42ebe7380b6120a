import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import type { Answer, Operation } from './account-model.ts';
import type { Entry } from './linearisable.ts';
import type { Service } from './service.ts';

const PING = '/api/core/system/ping';

/** Unlike ping, it is never answered by what a function remembers while DynamoDB is out of reach. */
const OWN_TOKENS = '/api/core/token/user';

/** Sends operations on one account, and keeps what became of them. */
export function openClient(service: Service, username: string) {
  const history: Entry[] = [];
  /** Answers that are none of the contract. */
  const broken: string[] = [];
  const secrets: string[] = [];
  /** Session tokens by their stamp. */
  const sessions = new Map<string, string>();

  const perform = async (operation: Operation) => {
    const base = await service.url();
    const start = performance.now();
    const { answer, status } = await send(base, operation);
    const known = answer !== undefined && status !== 503;
    if (status !== undefined && status >= 500 && status !== 503) broken.push(`${operation.kind}: ${status}`);
    const end = known ? performance.now() : Number.POSITIVE_INFINITY;
    history.push({ operation, start, end, answer: known ? answer : undefined });
    if (!known) await sleep(100);
  };

  const send = async (base: string, operation: Operation): Promise<{ answer?: Answer; status?: number }> => {
    const { method, path, authorization, body } = request(operation);
    try {
      const response = await fetch(base + path, {
        method,
        headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const { data = {} } = (await response.json()) as { data?: Record<string, unknown> };
      return { answer: answerOf(operation, response.status, data), status: response.status };
    } catch {
      return {};
    }
  };

  const request = (operation: Operation) => {
    const admin = { method: 'POST', authorization: `Token ${service.adminToken}`, body: undefined };
    switch (operation.kind) {
      case 'create':
      case 'delete':
        return { ...admin, path: `/api/core/token/${operation.kind}/${operation.token}/${username}` };
      case 'copy': {
        const source = service.sources.find(({ roles }) => roles === operation.roles);
        return { ...admin, path: `/api/core/account/copy/${source?.username}/${username}` };
      }
      case 'list':
        return { ...admin, method: 'GET', path: `/api/core/token/user/${username}` };
      case 'profile':
        return { ...admin, method: 'GET', path: `/api/core/account/profile/${username}` };
      case 'use':
        return { method: 'GET', path: PING, authorization: `Token ${operation.secret}`, body: undefined };
      case 'rename':
        return {
          method: 'POST',
          path: '/api/core/account/profile-update',
          authorization: `Token ${operation.secret}`,
          body: { user_first_name: operation.name },
        };
      case 'login':
        return {
          method: 'POST',
          path: '/api/core/account/login',
          authorization: '',
          body: { username: 'api', password: operation.secret },
        };
      case 'session':
      case 'logout':
        return {
          method: 'GET',
          path: operation.kind === 'session' ? OWN_TOKENS : '/api/core/account/logout',
          authorization: `Bearer ${sessions.get(operation.stamp)}`,
          body: undefined,
        };
      default:
        return { ...admin, path: `/api/core/account/${operation.kind}/${username}` };
    }
  };

  const answerOf = (operation: Operation, status: number, data: Record<string, unknown>): Answer => {
    if (status !== 200) return [status];
    switch (operation.kind) {
      case 'lock':
      case 'unlock':
      case 'cancel':
      case 'reactivate':
        return [status, data['changed'], data['isactive'], data['islocked']];
      case 'create':
        secrets.push(data['value'] as string);
        return [status, data['value']];
      case 'copy':
        return [status, data['roles_added']];
      case 'list':
        return [status, (data['items'] as { name: string }[]).map(({ name }) => name).sort()];
      case 'profile': {
        const user = data['user'] as { user_first_name: string };
        return [status, user.user_first_name, (data['roles'] as string[]).toSorted()];
      }
      case 'login': {
        const jwt = data['JWTtoken'] as string;
        const stamp = decodeJwt(jwt)['sst'] as string;
        sessions.set(stamp, jwt);
        return [status, stamp];
      }
      default:
        return [status];
    }
  };

  return { history, broken, secrets, sessions, perform };
}
