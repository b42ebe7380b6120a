import { script } from '#lib/docs/contracts';
import { docsScript } from '#lib/docs/script';
import { openEndpoint } from '#lib/handler/open-endpoint';

/** Answers the script of the documentation page. */
export const handler = openEndpoint(script, ({ params }, settings) => docsScript(params.script, settings));
