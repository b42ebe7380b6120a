import { type Route, routes } from '#lib/routes';
import project from '../package.json' with { type: 'json' };
import { guide } from './openapi/guide.ts';
import { namedParameters, operation } from './openapi/operation.ts';
import { shared } from './openapi/responses.ts';
import { type Json, namedSchemas } from './openapi/schemas.ts';
import { securitySchemes } from './openapi/security.ts';
import { withFigures } from './openapi/texts/figures.ts';
import { TAGS, WEBHOOKS } from './openapi/texts/operations.ts';
import { webhooks } from './openapi/webhooks.ts';

const isDocumented = ({ contract, method, path }: Route) =>
  !contract.forPeople && method !== 'HEAD' && !contract.alsoAt?.includes(path);

/**
 * The service as an OpenAPI 3.1 document, generated from its contracts.
 *
 * @throws Error that names a part of a contract without a description
 */
export function openApi(): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes.filter(isDocumented))
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'core-account',
      version: project.version,
      summary: 'Accounts, API tokens and sessions',
      description: guide(),
      contact: { name: 'The operator of this instance' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Relative to the URL of the document; an instance that knows its own puts it here.
    servers: [{ url: '/', description: 'This instance' }],
    // All credentials that the service accepts; each operation names those for clients.
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    tags: [...Object.entries(TAGS).map(([name, description]) => ({ name, description })), WEBHOOKS],
    paths,
    webhooks: webhooks(),
    components: {
      schemas: namedSchemas(),
      parameters: namedParameters(),
      responses: Object.fromEntries([...shared].toSorted(([one], [other]) => (one < other ? -1 : 1))),
      securitySchemes,
    },
  };
  return JSON.parse(withFigures(JSON.stringify(document)));
}

if (import.meta.main) console.log(JSON.stringify(openApi(), null, 2));
