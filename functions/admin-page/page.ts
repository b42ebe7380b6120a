import { adminFile } from '#lib/admin-page/files';
import { contract } from '#lib/admin-page/page.contract';
import { openEndpoint } from '#lib/handler/open-endpoint';

/** Answers the administrator's page and its files. */
export const handler = openEndpoint(contract, ({ params, query, event }, settings) =>
  adminFile(params.file, event, settings, query.language),
);
