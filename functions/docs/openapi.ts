import { openapi } from '#lib/docs/contracts';
import { openApiDocument } from '#lib/docs/openapi';
import { openEndpoint } from '#lib/handler/open-endpoint';

/**
 * Answers the OpenAPI document.
 *
 * No reads; clients may cache the answer for five minutes, and revalidate it by its ETag.
 */
export const handler = openEndpoint(openapi, (_request, settings) => openApiDocument(settings));
