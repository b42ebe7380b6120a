import { expect, test } from 'vitest';
import { FAILURES } from '#lib/failure';
import { routes } from '#lib/routes';
import { openApi } from '../../infra/openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: { name: string; in: string }[];
  readonly requestBody?: { content: { 'application/json': { schema: { additionalProperties?: boolean } } } };
}

const document = JSON.parse(JSON.stringify(openApi())) as {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: { Failure: { properties: { data: { properties: { code: { enum: string[] } } } } } };
  };
};
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

test('the OpenAPI document has an operation for every route and no other, each with its own id', () => {
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

test('every parameter of a path is documented', () => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const { parameters } of Object.values(methods)) {
      const documented = parameters
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => `{${name}}`);
      expect(documented.sort(), path).toEqual((path.match(/\{\w+\}/g) ?? []).sort());
    }
});

test('the codes of failures are the closed list, and bodies refuse unknown properties', () => {
  expect(document.components.schemas.Failure.properties.data.properties.code.enum).toEqual(
    Object.keys(FAILURES),
  );
  const bodies = operations.flatMap(({ operationId, requestBody }) =>
    requestBody && !operationId.startsWith('system.ping')
      ? [requestBody.content['application/json'].schema]
      : [],
  );
  expect(bodies.length).toBeGreaterThanOrEqual(3);
  for (const body of bodies) expect(body.additionalProperties).toBe(false);
});
