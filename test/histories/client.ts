import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { requestOf, type Sample } from '../integration/requests.ts';
import type { Answer, Operation } from './account-model.ts';
import type { Entry } from './linearisable.ts';
import type { Service } from './running-instance.ts';

/** Sends operations on one account, and keeps their answers. */
export function openClient(service: Service, username: string) {
  const history: Entry[] = [];
  /** Answers that are not in the contract. */
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
    const [id, authorization = '', sample, names = { username }] = requestFor(operation);
    const [method, path, { json }] = requestOf(id, names, sample);
    try {
      const response = await fetch(base + path, {
        method,
        headers: { authorization, ...(json ? { 'content-type': 'application/json' } : {}) },
        ...(json ? { body: JSON.stringify(json) } : {}),
      });
      const { data = {} } = (await response.json()) as { data?: Record<string, unknown> };
      return { answer: answerOf(operation, response.status, data), status: response.status };
    } catch {
      return {};
    }
  };

  type Request = [
    id: string,
    authorization?: string,
    sample?: Sample,
    names?: Parameters<typeof requestOf>[1],
  ];

  const requestFor = (operation: Operation): Request => {
    const admin = `Token ${service.adminToken}`;
    switch (operation.kind) {
      case 'create':
      case 'delete':
        return [`token.${operation.kind}`, admin, { params: { token_name: operation.token } }];
      case 'copy': {
        const source = service.sources.find(({ roles }) => roles === operation.roles)?.username as string;
        return ['account.copy', admin, {}, { username, source }];
      }
      case 'list':
        return ['token.list-user', admin];
      case 'use':
        return ['system.ping', `Token ${operation.secret}`, { method: 'GET' }];
      case 'rename': {
        const { name: user_first_name, secret } = operation;
        return ['account.profile-update', `Token ${secret}`, { body: () => ({ user_first_name }) }];
      }
      case 'login':
        return ['account.login', '', undefined, { username: 'api', password: operation.secret }];
      case 'session':
      case 'logout': {
        // Unlike ping, the list is never answered from memory while DynamoDB is out of reach.
        const id = operation.kind === 'session' ? 'token.list-own' : 'account.logout';
        return [id, `Bearer ${sessions.get(operation.stamp)}`];
      }
      default:
        return [`account.${operation.kind}`, admin];
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
