import { exportAccount } from '#lib/export/export';
import { contract } from '#lib/export/export.contract';
import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';

/** Exports the data of the caller; administrators may name another account. */
export const handler = endpoint(
  contract,
  ({ accounts: [account] }, runtime) => exportAccount(runtime, account),
  { stepUp },
);
