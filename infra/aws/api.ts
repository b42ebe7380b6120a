import { Duration, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnApiMapping,
  type CfnStage,
  CorsHttpMethod,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Options } from '#infra/stages/options';
import { type Contract, GATEWAY_THROTTLE } from '#lib/contract/contract';
import { CORS } from '#lib/contract/cors';
import { routes, routesOf } from '#lib/routes';
import type { CoreFunction } from './function.ts';

/**
 * Access log: a line of JSON for each request. It has the route instead of the path, and neither query nor headers,
 * since these may hold a credential. It names errors of Lambda, which no log of a function has.
 */
const ACCESS_LOG = AccessLogFormat.custom(
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

export interface ApiProps {
  /** Name in the console; it need not be unique. */
  readonly name: string;
  /** Origins that browsers may call from; an empty list disables CORS. */
  readonly allowedOrigins: readonly string[];
  readonly accessLog: LogGroup;
  /** Domain that replaces the address from AWS. */
  readonly domain: DomainName | undefined;
}

/** The HTTP gateway: the routes of the contracts only. */
export class Api extends Construct {
  /** Base URL, without a slash at its end. */
  readonly url: string;
  /** Host of {@link url}. */
  readonly host: string;
  readonly gateway: HttpApi;
  private readonly stage: HttpStage;

  constructor(scope: Construct, id: string, { name, allowedOrigins, accessLog, domain }: ApiProps) {
    super(scope, id);
    this.gateway = new HttpApi(this, 'Gateway', {
      apiName: name,
      createDefaultStage: false,
      disableExecuteApiEndpoint: domain && true,
      ...(allowedOrigins.length > 0 ? { corsPreflight: corsOf(allowedOrigins) } : {}),
    });
    const { region, urlSuffix } = Stack.of(this);
    this.host = domain ? domain.name : `${this.gateway.apiId}.execute-api.${region}.${urlSuffix}`;
    this.url = domain ? `https://${domain.name}` : this.gateway.apiEndpoint;
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.gateway,
      autoDeploy: true,
      throttle: { rateLimit: GATEWAY_THROTTLE.rate, burstLimit: GATEWAY_THROTTLE.burst },
      accessLogSettings: { destination: new LogGroupLogDestination(accessLog), format: ACCESS_LOG },
    });
    if (domain)
      new CfnApiMapping(this, 'Mapping', {
        apiId: this.gateway.apiId,
        domainName: domain.name,
        stage: (this.stage.node.defaultChild as CfnStage).ref,
      });
  }

  /**
   * Integrates the function of a contract with its routes. One permission holds for all routes of this gateway: one for each
   * route takes 90 resources of the 500 of a stack, and guards nothing, since whoever may change a route may name any function.
   */
  serve({ definition, lambda }: CoreFunction<Contract>): void {
    const integration = new HttpLambdaIntegration(definition.id, lambda, { scopePermissionToRoute: false });
    const stage = this.stage.node.defaultChild as CfnStage;
    for (const { method, path } of routesOf(definition)) {
      const routeKey = HttpRouteKey.with(path, HttpMethod[method]);
      const route = new HttpRoute(this, routeKey.key, { httpApi: this.gateway, routeKey, integration });
      if (!definition.throttle) continue;
      const { rate, burst } = definition.throttle;
      const settings = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
      stage.routeSettings = { ...stage.routeSettings, [routeKey.key]: settings };
      // CloudFormation cannot deploy a stage before the routes that it has settings for.
      stage.node.addDependency(route);
    }
  }
}

const corsOf = (origins: readonly string[]) => ({
  allowOrigins: [...origins],
  allowCredentials: true,
  allowMethods: [...new Set(routes.map(({ method }) => CorsHttpMethod[method]))],
  allowHeaders: [...CORS.allowedHeaders],
  exposeHeaders: [...CORS.exposedHeaders],
  maxAge: Duration.seconds(CORS.maxAgeSeconds),
});

/** The custom domain of a stage, with TLS 1.2 and later. Operators create its DNS record. */
export function domainOf(scope: Construct, { domainName, certificateArn }: Options): DomainName | undefined {
  if (domainName === '') return undefined;
  const certificate = Certificate.fromCertificateArn(scope, 'Certificate', certificateArn);
  return new DomainName(scope, 'Domain', { domainName, certificate, securityPolicy: SecurityPolicy.TLS_1_2 });
}
