import { docsScript } from '#lib/docs/script';
import { contract } from '#lib/docs/script.contract';
import { openEndpoint } from '#lib/handler/open-endpoint';

/** Answers the script of the documentation page. */
export const handler = openEndpoint(contract, ({ params }, settings) => docsScript(params.script, settings));
