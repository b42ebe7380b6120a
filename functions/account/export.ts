import { exportAccount, exportFurther } from '#lib/export/export';
import { contract } from '#lib/export/export.contract';
import { countPage } from '#lib/export/pages';
import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';

/** Exports the data of the caller, page by page; administrators may name another account. */
export const handler = endpoint(
  contract,
  async ({ caller, credential, accounts: [account], query }, runtime) => {
    await countPage(runtime, caller.username, credential);
    const { cursor } = query;
    return cursor === undefined ? exportAccount(runtime, account) : exportFurther(runtime, account, cursor);
  },
  { stepUp },
);
