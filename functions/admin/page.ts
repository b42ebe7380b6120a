import { page } from '#lib/admin/contracts';
import { adminFile } from '#lib/admin/files';
import { presentsCredential } from '#lib/auth/credential';
import { openEndpoint } from '#lib/handler/open-endpoint';

/** Answers the administrator's page and its files. */
export const handler = openEndpoint(page, ({ params, event }, settings) =>
  adminFile(params.file, presentsCredential(event), settings),
);
