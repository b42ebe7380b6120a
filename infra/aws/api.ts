import { Duration } from 'aws-cdk-lib';
import {
  CfnApiMapping,
  type CfnStage,
  CorsHttpMethod,
  type DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Contract } from '#lib/contract/contract';
import { CORS } from '#lib/contract/cors';
import { routes, routesOf } from '#lib/routes';
import { ACCESS_LOG } from './access-log.ts';
import type { CoreFunction } from './function.ts';

/** Requests a second over the whole instance, and how many at once; a fresh account has 10,000 and 5,000. */
const THROTTLE = { rateLimit: 1000, burstLimit: 2000 };

export interface ApiProps {
  /** Shown in the console; gateways need not have different names. */
  readonly name: string;
  /** Origins that browsers may call from; no CORS at all where there is none. */
  readonly allowedOrigins: readonly string[];
  readonly accessLog: LogGroup;
  /** Where it is reached instead of at the address that AWS gives. */
  readonly domain: DomainName | undefined;
}

/** The HTTP gateway: the routes of the contracts, and nothing else. */
export class Api extends Construct {
  /** Without a slash at its end. */
  readonly url: string;
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
    this.url = domain ? `https://${domain.name}` : this.gateway.apiEndpoint;
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.gateway,
      autoDeploy: true,
      throttle: THROTTLE,
      accessLogSettings: { destination: new LogGroupLogDestination(accessLog), format: ACCESS_LOG },
    });
    if (domain)
      new CfnApiMapping(this, 'Mapping', {
        apiId: this.gateway.apiId,
        domainName: domain.name,
        stage: (this.stage.node.defaultChild as CfnStage).ref,
      });
  }

  /** Leads every route of a contract to its function, which each route may invoke by its own path only. */
  serve({ definition, lambda }: CoreFunction<Contract>): void {
    const integration = new HttpLambdaIntegration(definition.id, lambda);
    for (const { method, path } of routesOf(definition)) {
      const routeKey = HttpRouteKey.with(path, HttpMethod[method]);
      const route = new HttpRoute(this, routeKey.key, { httpApi: this.gateway, routeKey, integration });
      if (definition.throttle) this.throttle(route, routeKey, definition.throttle);
    }
  }

  /** Lets less through on one route. */
  private throttle(
    route: HttpRoute,
    { key }: HttpRouteKey,
    { rate, burst }: NonNullable<Contract['throttle']>,
  ) {
    const stage = this.stage.node.defaultChild as CfnStage;
    stage.routeSettings = {
      ...stage.routeSettings,
      [key]: { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
    };
    // A stage cannot be deployed before the routes that it has settings for.
    stage.node.addDependency(route);
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
