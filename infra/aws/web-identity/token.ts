import { GetWebIdentityTokenCommand, STSClient } from '@aws-sdk/client-sts';
import { CLIENT_LIMITS, namingErrors } from '#lib/network/aws';
import { TERMS } from './terms.ts';

const sts = namingErrors(new STSClient(CLIENT_LIMITS));

/**
 * Asks AWS for a token that names the role of this function.
 *
 * @param audience the issuer of the instance, which accepts each token once
 * @throws the error of STS, such as `OutboundWebIdentityFederationDisabled` until the AWS account permits such tokens
 */
export async function webIdentityToken(audience: string): Promise<string> {
  const { WebIdentityToken = '' } = await sts.send(
    new GetWebIdentityTokenCommand({ Audience: [audience], ...TERMS }),
  );
  return WebIdentityToken;
}
