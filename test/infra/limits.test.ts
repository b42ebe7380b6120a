import { expect, it } from 'vitest';
import { GATEWAY_TIMEOUT_SECONDS } from '#lib/contract/contract';
import { contracts, functions, memoryOf, reservedOf, routesOf, timeoutOf } from '#lib/routes';
import { EVERY_OPTION, functionOf, synthesize } from './synth.ts';

const stack = synthesize();
const every = synthesize(EVERY_OPTION);
const stage = stack.one('AWS::ApiGatewayV2::Stage').Properties;

interface Throttle {
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}

/** Requests a second, requests at once, and the routes that have a limit of their own. */
const THROTTLES = [
  ['account.login', 50, 100],
  ['account.browse', 10, 20],
  ['docs.script', 10, 20],
  ['system.preview', 10, 20],
  ['system.uuids', 100, 200],
] as const;

it.each(THROTTLES)('%s is let through %i times a second, %i at once', (id, rate, burst) => {
  const routes = contracts.filter((contract) => contract.id === id).flatMap(routesOf);
  expect(routes).toHaveLength(1);
  const settings = stage['RouteSettings'] as Record<string, Throttle>;
  expect(settings[`${routes[0]?.method} ${routes[0]?.path}`]).toEqual({
    ThrottlingRateLimit: rate,
    ThrottlingBurstLimit: burst,
  });
});

it('the other routes share the limit of the stage, which is above each', () => {
  expect(Object.keys(stage['RouteSettings'] as object)).toHaveLength(THROTTLES.length);
  expect(stage['DefaultRouteSettings']).toEqual({ ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 });
  for (const [, rate, burst] of THROTTLES) {
    expect(rate).toBeLessThan(1000);
    expect(burst).toBeLessThan(2000);
  }
});

it('preview cannot take the execution environments of login: prod reserves 100 for it, and caps preview at 20', () => {
  const prod = synthesize({ stage: 'prod' });
  const reserved = functions.flatMap(({ id }) => {
    const number = functionOf(prod, id).Properties['ReservedConcurrentExecutions'];
    return number === undefined ? [] : [[id, number]];
  });
  expect(reserved).toEqual([
    ['account.login', 100],
    ['system.preview', 20],
  ]);
  for (const contract of contracts.filter((one) => reservedOf(one) !== undefined))
    expect(contract.throttle?.burst, `${contract.id} can use all of it at once`).toBe(reservedOf(contract));
});

it('nothing is reserved unless a stage says so, since a new account has too few to share', () => {
  for (const { Properties } of stack.of('AWS::Lambda::Function'))
    expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions');
});

it('login, which hashes, and what else computes has a full CPU', () => {
  const full = functions.filter((definition) => memoryOf(definition) === 1769).map(({ id }) => id);
  expect(full).toEqual(['account.browse', 'account.login', 'system.preview']);
  expect(functionOf(stack, 'account.login').Properties['MemorySize']).toBe(1769);
});

it.each(contracts)('$id ends before the gateway stops waiting', (contract) => {
  expect(timeoutOf(contract)).toBeLessThan(GATEWAY_TIMEOUT_SECONDS);
  expect(functionOf(stack, contract.id).Properties['Timeout']).toBe(timeoutOf(contract));
});

it('the gateway waits as long as it can', () => {
  for (const { Properties } of stack.of('AWS::ApiGatewayV2::Integration'))
    expect(Properties['TimeoutInMillis'] ?? GATEWAY_TIMEOUT_SECONDS * 1000).toBe(
      GATEWAY_TIMEOUT_SECONDS * 1000,
    );
});

it('a stack with every option has fewer than 400 resources, of the 500 that AWS allows', () => {
  expect(every.all.length).toBeGreaterThan(stack.all.length);
  expect(every.all.length).toBeLessThan(400);
});
