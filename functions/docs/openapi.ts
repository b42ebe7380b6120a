import { openApiDocument } from '#lib/docs/openapi';
import { contract } from '#lib/docs/openapi.contract';
import { openEndpoint } from '#lib/handler/open-endpoint';

/** Answers the OpenAPI document. */
export const handler = openEndpoint(contract, (_request, settings) => openApiDocument(settings));
