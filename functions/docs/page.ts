import { docsPage } from '#lib/docs/page';
import { contract } from '#lib/docs/page.contract';
import { openEndpoint } from '#lib/handler/open-endpoint';

/** Answers the documentation page, and redirects to it. */
export const handler = openEndpoint(contract, ({ event }, settings) => docsPage(event.rawPath, settings));
