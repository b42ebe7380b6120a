import type { APIGatewayTokenAuthorizerEvent as TokenEvent } from 'aws-lambda';
import { describe, log } from '#lib/log/log';
import { tokenVerifier } from './verify-token.ts';

const {
  CORE_ACCOUNT_ISSUER: issuer = '',
  CORE_ACCOUNT_AUDIENCE: audience = '',
  CORE_ACCOUNT_ROLES = '[]',
} = process.env;

const verify = tokenVerifier({ issuer, audience, roles: JSON.parse(CORE_ACCOUNT_ROLES) });

/** The Lambda authorizer of `resourceAuthorizer` for REST APIs. It logs what no caller can mend. */
export const handler = (event: TokenEvent) =>
  verify(event).catch((error) => {
    if (error.message !== 'Unauthorized')
      log('error', { error: describe(error, [event.authorizationToken]) });
    throw error;
  });
