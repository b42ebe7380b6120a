import type * as z from 'zod/mini';
import { Failure } from '../failure/failure.ts';
import type { Settings } from '../instance/settings.ts';
import type { contract as openapi } from './openapi.contract.ts';

/** JSON that `infra/bundle.ts` inserts, since no function contains the other contracts. */
declare const OPENAPI_DOCUMENT: string;

type OpenApiDocument = z.output<ReturnType<typeof openapi.response>>;

let parsed: OpenApiDocument | undefined;

/**
 * The OpenAPI document of all contracts. Importers join the paths to the URL of its server, which is absolute and has no
 * final slash.
 *
 * @throws Failure `docs_not_found` when the instance does not publish its documentation
 */
export function openApiDocument({ Docs, ApiUrl }: Pick<Settings, 'Docs' | 'ApiUrl'>) {
  if (!Docs) throw new Failure('docs_not_found');
  parsed ??= JSON.parse(OPENAPI_DOCUMENT) as OpenApiDocument;
  if (ApiUrl === '') return parsed;
  return { ...parsed, servers: [{ url: ApiUrl, description: 'This instance' }] };
}
