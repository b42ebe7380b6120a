import { randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import {
  credentialsFor,
  type Endpoints,
  regionOf,
  sdkEnvironment,
} from '../../infra/local/sdk-environment.ts';
import { startGateway } from '../../infra/local/services/gateway/gateway.ts';
import type { Lambda } from '../../infra/local/services/lambda/lambda.ts';
import { logged } from '../integration/instance-process.ts';
import { type Deployed, instance, readDeployed } from './deployed.ts';
import { type ExecutionEnvironment, openExecutionEnvironment } from './execution-environment.ts';

/** Region, credentials and endpoints of a function: those of the local instance by default. */
export function platform(endpoints: Partial<Endpoints> = {}): Record<string, string> {
  const { dynamodb, events, secretsmanager, credentials } = instance;
  const sdk = { dynamodb, events, secretsmanager, ...endpoints };
  return sdkEnvironment({ AWS_REGION: regionOf({}) }, sdk, credentialsFor({}, credentials));
}

/** Runs deployed functions, one execution environment each, behind a gateway of their own, until the last test. */
export async function openRuntime(variables: Readonly<Record<string, string>> = platform()) {
  const deployed = readDeployed();
  const environments = new Map<string, Promise<ExecutionEnvironment>>();
  const open = (id: string) => {
    const environment =
      environments.get(id) ?? openExecutionEnvironment(deployed.get(id) as Deployed, variables);
    environments.set(id, environment);
    return environment;
  };
  const close = async () => {
    for (const environment of await Promise.all(environments.values())) {
      await environment.close();
      logged.push(environment.output());
    }
  };
  const lambda: Lambda = {
    async invoke(id, event, requestId = randomUUID()) {
      const { headers } = (event ?? {}) as { headers?: Record<string, string> };
      const trace = headers?.['x-amzn-trace-id'] ?? `Root=1-${randomUUID()}`;
      return JSON.parse(await (await open(id)).invoke(event, requestId, trace)) as unknown;
    },
    retire: () => undefined,
    close,
  };
  const gateway = await startGateway(0, []);
  gateway.serve(lambda);
  afterAll(async () => {
    await close();
    await gateway.close();
  });

  return {
    base: gateway.url,
    lambda,
    /** The execution environment of a function; starts it on first use. */
    environment: open,
  };
}
