import { script } from '#lib/docs/contracts';
import { docsScript } from '#lib/docs/script';
import { openEndpoint } from '#lib/handler/open-endpoint';

/**
 * What the page of the documentation runs.
 *
 * Nothing is read but a file beside the code.
 */
export const handler = openEndpoint(script, ({ params }, settings) => docsScript(params.script, settings));
