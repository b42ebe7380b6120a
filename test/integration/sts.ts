import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { listen } from '#infra/local/machine/listen';

/** A request for a token, as it came over HTTP. */
export interface TokenRequest {
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly algorithm: string;
  /** Access key that has signed the request. */
  readonly accessKey: string;
}

/**
 * Answers `GetWebIdentityToken` as AWS STS does (query protocol), until the test ends.
 *
 * @param issue returns the token of a request; an error is the answer of AWS accounts that permit no such tokens
 */
export async function startSts(issue: (request: TokenRequest) => Promise<string>) {
  const requests: TokenRequest[] = [];
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const [, accessKey = ''] =
      /Credential=([^/]+)\/\d+\/[\w-]+\/sts\//.exec(request.headers.authorization ?? '') ?? [];
    const asked: TokenRequest = {
      audiences: [...form].filter(([name]) => name.startsWith('Audience.member.')).map(([, value]) => value),
      seconds: Number(form.get('DurationSeconds')),
      algorithm: form.get('SigningAlgorithm') ?? '',
      accessKey,
    };
    const isKnown = form.get('Action') === 'GetWebIdentityToken' && accessKey !== '';
    if (isKnown) requests.push(asked);
    const token = isKnown ? await issue(asked).catch(() => undefined) : undefined;
    response
      .writeHead(token === undefined ? 400 : 200, { 'content-type': 'text/xml' })
      .end(token === undefined ? DISABLED : answerOf(token, asked.seconds));
  });
  const { url, close } = await listen(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    await close();
  });
  return { url, requests: requests as readonly TokenRequest[] };
}

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';

const answerOf = (token: string, seconds: number) =>
  `<GetWebIdentityTokenResponse xmlns="${NAMESPACE}"><GetWebIdentityTokenResult><WebIdentityToken>${token}</WebIdentityToken><Expiration>${new Date(Date.now() + seconds * 1000).toISOString()}</Expiration></GetWebIdentityTokenResult><ResponseMetadata><RequestId>of-the-test</RequestId></ResponseMetadata></GetWebIdentityTokenResponse>`;

const DISABLED = `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>OutboundWebIdentityFederationDisabledException</Code><Message>The feature is not enabled</Message></Error><RequestId>of-the-test</RequestId></ErrorResponse>`;
