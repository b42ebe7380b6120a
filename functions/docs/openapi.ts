import { openapi } from '#lib/docs/contracts';
import { openApiDocument } from '#lib/docs/openapi';
import { openEndpoint } from '#lib/handler/open-endpoint';

/** Answers the OpenAPI document. */
export const handler = openEndpoint(openapi, (_request, settings) => openApiDocument(settings));
