import { openapi } from '#lib/docs/contracts';
import { openApiDocument } from '#lib/docs/openapi';
import { openEndpoint } from '#lib/handler/open-endpoint';

/**
 * Publishes what every endpoint takes and answers.
 *
 * Nothing is read; clients may keep the answer for five minutes, and ask for it again by its ETag.
 */
export const handler = openEndpoint(openapi, (_request, settings) => openApiDocument(settings));
