import { openEndpoint } from '#lib/handler/open-endpoint';
import { authorizationServer } from '#lib/oauth/metadata';
import { contract } from '#lib/oauth/metadata.contract';

/** Answers where clients of OAuth 2.0 get tokens (RFC 8414). */
export const handler = openEndpoint(contract, (_request, settings) => authorizationServer(settings));
