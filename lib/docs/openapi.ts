import type * as z from 'zod/mini';
import type { Settings } from '../settings.ts';
import type { openapi } from './contracts.ts';
import { published } from './published.ts';

/** JSON, put in its place when the bundles are built (`infra/bundle.ts`): no function knows the other contracts. */
declare const OPENAPI_DOCUMENT: string;

type OpenApiDocument = z.output<ReturnType<typeof openapi.response>>;

let parsed: OpenApiDocument | undefined;

/**
 * The document of all contracts.
 *
 * @throws Failure `docs_not_found` where the instance keeps it to itself
 */
export function openApiDocument(settings: Pick<Settings, 'Docs'>) {
  published(settings);
  parsed ??= JSON.parse(OPENAPI_DOCUMENT) as OpenApiDocument;
  return parsed;
}
