import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Contract } from '#lib/contract/contract';
import { routes } from '#lib/routes';
import { openRouter } from '../../infra/local/services/gateway/router.ts';
import { openApi } from '../../infra/openapi.ts';

type Json = Record<string, unknown>;

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (
    | { readonly in: string; readonly schema: { readonly type?: string } }
    | { readonly $ref: string }
  )[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

/** The document as clients get it. */
export const document = JSON.parse(JSON.stringify(openApi())) as {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Json; readonly responses: Json };
};

const isObject = (node: unknown): node is Json =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

/** The same without room for fields that it does not name: clients may get more one day, these tests may not. */
function closed(node: unknown, key = ''): unknown {
  if (Array.isArray(node)) return key === 'allOf' ? node : node.map((each) => closed(each));
  if (!isObject(node)) return node;
  const parts = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      /^(example|examples|enum)$/.test(name) ? value : closed(value, name),
    ]),
  );
  const isOpen =
    node['type'] === 'object' && isObject(node['properties']) && !('additionalProperties' in node);
  return isOpen ? { ...parts, additionalProperties: false } : parts;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(closed(document) as Json, 'document');

const validators = new Map<string, ValidateFunction>();

/** Faults of a value by the schema at a place of the document; undefined without any. */
export function faultAt(place: readonly (string | number)[], value: unknown): string | undefined {
  const pointer = place.map((part) => `${part}`.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  let validate = validators.get(pointer);
  if (!validate) {
    validate = ajv.compile({ $ref: `document#/${encodeURI(pointer)}` });
    validators.set(pointer, validate);
  }
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

const routeOf = openRouter(routes);

export interface Seen {
  readonly status: number;
  /** Without its parameters; empty without a body. */
  readonly type: string;
  /** Whether the service has answered, and not the gateway. */
  readonly isOwn: boolean;
  readonly header: (name: string) => string;
  /** Parsed if it is JSON. */
  readonly payload: unknown;
}

/** Parts of an answer that the document does not describe; undefined without any. */
export function undocumented(method: string, target: string, seen: Seen): string | undefined {
  const match = routeOf(method, target);
  if (!match || match === 'malformed') return undefined;
  const { path: answered, contract } = match.route;
  // The document has an endpoint at its first path only.
  const path = contract.alsoAt?.includes(answered) ? contract.path : answered;
  const missing = seen.isOwn && missingOf(contract, method, seen);
  if (missing) return `${contract.id} answers ${seen.status} without ${missing}`;
  if (contract.forPeople || method === 'HEAD') return undefined;
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) return `${method} ${path} is not documented`;
  const { operationId, responses } = operation;
  const response = responses[seen.status];
  if (!response) return seen.isOwn ? `${operationId} does not answer ${seen.status}` : undefined;
  if (seen.type === '') return undefined;
  const shared = response.$ref?.split('/').slice(1);
  const place = shared ?? ['paths', path, method.toLowerCase(), 'responses', seen.status];
  const content = (shared ? (document.components.responses[shared.at(-1) as string] as Json) : response) as {
    content?: Json;
  };
  if (!content.content?.[seen.type]) return `${operationId} does not answer ${seen.status} as ${seen.type}`;
  const fault = faultAt([...place, 'content', seen.type, 'schema'], seen.payload);
  return fault && `${operationId} answers ${seen.status} otherwise: ${fault}`;
}

/** The first part that an answer lacks: of those that every answer has, or that its contract promises. */
function missingOf(
  { title, headers = {} }: Contract,
  method: string,
  { status, header, payload }: Seen,
): string | undefined {
  const isEnveloped = status >= 400 || (status === 200 && title !== undefined);
  // Endpoints that check the origin of the cookie add `Origin` to `Vary`.
  const isKept = ([name, value]: [string, string]) => header(name).replace(', Origin', '') === value;
  if (status === 200) {
    const [broken] = Object.entries(headers).find((promised) => !isKept(promised)) ?? [];
    if (broken) return `the header ${broken} of its contract`;
  }
  if (!isEnveloped) return undefined;
  if (header('cache-control') !== 'no-store') return 'no-store';
  if (method === 'HEAD') return undefined;
  const { message, requestID } = (payload ?? {}) as Json;
  if (requestID !== header('x-request-id')) return 'its request ID';
  return status === 200 && message !== title ? 'its title' : undefined;
}
