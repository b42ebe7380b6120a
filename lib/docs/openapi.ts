import type * as z from 'zod/mini';
import type { Settings } from '../settings.ts';
import type { openapi } from './contracts.ts';
import { published } from './published.ts';

/** Put in its place when the bundles are built (`infra/bundle.ts`): no function knows the other contracts. */
declare const OPENAPI_DOCUMENT: z.output<ReturnType<typeof openapi.response>>;

/**
 * The document of all contracts.
 *
 * @throws Failure `docs_not_found` where the instance keeps it to itself
 */
export function openApiDocument(settings: Pick<Settings, 'Docs'>) {
  published(settings);
  return OPENAPI_DOCUMENT;
}
