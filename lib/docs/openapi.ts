import type * as z from 'zod/mini';
import { Failure } from '../failure.ts';
import type { Settings } from '../settings.ts';
import type { openapi } from './contracts.ts';

/** Put in its place when the bundles are built (`infra/bundle.ts`): no function knows the other contracts. */
declare const OPENAPI_DOCUMENT: z.output<ReturnType<typeof openapi.response>>;

/**
 * The document of all contracts.
 *
 * @throws Failure `docs_not_found` where the instance keeps it to itself
 */
export function openApiDocument({ Docs }: Pick<Settings, 'Docs'>) {
  if (!Docs) throw new Failure('docs_not_found');
  return OPENAPI_DOCUMENT;
}
