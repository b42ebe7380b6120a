import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

/**
 * One line of JSON a request. The route stands for the path, and neither the query nor a header is written:
 * both may hold a credential. Lambda's own errors are named, since no function's log has those.
 */
export const ACCESS_LOG = AccessLogFormat.custom(
  JSON.stringify({
    requestId: '$context.requestId',
    time: '$context.requestTime',
    routeKey: '$context.routeKey',
    status: '$context.status',
    sourceIp: '$context.identity.sourceIp',
    responseBytes: '$context.responseLength',
    responseMs: '$context.responseLatency',
    integrationMs: '$context.integrationLatency',
    integrationStatus: '$context.integrationStatus',
    integrationError: '$context.integrationErrorMessage',
  }),
);
