import { page } from '#lib/docs/contracts';
import { docsPage } from '#lib/docs/page';
import { openEndpoint } from '#lib/handler/open-endpoint';

/** Answers the documentation page, and redirects to it. */
export const handler = openEndpoint(page, ({ event }, settings) => docsPage(event.rawPath, settings));
