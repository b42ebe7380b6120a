import { page } from '#lib/docs/contracts';
import { docsPage } from '#lib/docs/page';
import { openEndpoint } from '#lib/handler/open-endpoint';

/**
 * The documentation as a page, and the way to it.
 *
 * Nothing is read.
 */
export const handler = openEndpoint(page, ({ event }, settings) => docsPage(event.rawPath, settings));
