import type * as z from 'zod/mini';
import type { Contract, Method } from '#lib/contract/contract';
import { contracts } from '#lib/routes';

const HEAD = `// Written by npm run docs from the contracts.
import type { Operations } from './contracts.ts';

/** Properties of the contracts that a client needs at run time. The compiler checks every row against its contract. */
export const OPERATIONS = {
`;

/** `lib/client/operations.ts`: a row for each contract of the API. */
export function operationsModule(): string {
  const rows = contracts
    .filter(({ forPeople }) => !forPeople)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(
      (contract) =>
        `  '${contract.id}': [${rowOf(contract)
          .map((text) => `'${text}'`)
          .join(', ')}],\n`,
    );
  return `${HEAD}${rows.join('')}} as const satisfies Operations;\n`;
}

function rowOf(contract: Contract): string[] {
  const { method, path, access, bodyKind } = contract;
  const methods: readonly Method[] = [method].flat();
  return [
    methods.find((one) => one === 'POST') ?? (methods[0] as Method),
    path,
    repeatsOf(contract),
    ...(access === 'public' || access === 'authenticated-or-code' ? [access] : []),
    ...(bodyKind === 'form' ? [bodyKind] : []),
  ];
}

/** Whether a request may be sent again when its outcome is unknown, as the type `RepeatsOf` of the client. */
function repeatsOf({ unsafe, query, response, method, repeatable, requestHeaders }: Contract): string {
  const headers = (requestHeaders?.() as z.ZodMiniObject | undefined)?.shape ?? {};
  const { shape = {} } = response() as Partial<z.ZodMiniObject>;
  const isListing = 'cursor' in (query?.().shape ?? {}) && !('audit_next' in shape);
  if (unsafe) return 'never';
  if (isListing) return 'by-page';
  if (method === 'GET' || repeatable) return 'always';
  return 'idempotency-key' in headers ? 'with-key' : 'never';
}
