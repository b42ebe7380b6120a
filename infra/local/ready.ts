import { contract as profile } from '#lib/account/profile/profile.contract';
import { contract as administration } from '#lib/admin-page/page.contract';
import type { Contract } from '#lib/contract/contract';
import { contract as page } from '#lib/docs/page.contract';
import { contract as login } from '#lib/login/login.contract';
import { routesOf } from '#lib/routes';
import { contract as uuids } from '#lib/system/uuids.contract';
import { PLATFORMS } from '#lib/trust/issuers';
import type { Administrator } from './first-start.ts';
import { workflowVariables } from './issuer/start-issuer.ts';
import type { Credentials } from './sdk-environment.ts';

/** The one line on standard output, as JSON, once an instance serves. */
export interface Ready {
  readonly ready: true;
  readonly url: string;
  readonly dynamodb: string;
  readonly events: string;
  readonly secretsmanager: string;
  /** The service that invokes functions, for operator commands. */
  readonly lambda: string;
  readonly table: string;
  readonly admin: Administrator;
  /** The issuers for trying, if they were started: their URL, and the audience of tokens for this instance. */
  readonly issuer?: { readonly url: string; readonly audience: string };
}

/** Content of `<data>/instance.json`, which only its owner may read: the ready line without secrets, and more. */
export interface InstanceFile extends Ready {
  /** User of the operating system who runs it. */
  readonly user?: string;
  /** Its process. */
  readonly pid?: number;
  /** Credentials that its engine, bus and secret store require; absent if it works with the user's. */
  readonly credentials?: Credentials | undefined;
  readonly settings?: Readonly<Record<string, string>>;
  /** The subscriber of its events, and the pattern of those that it receives. */
  readonly subscribe?: string | undefined;
  readonly pattern?: string | undefined;
}

/** The text for the terminal of an instance that is ready. */
export function welcome(
  { url, admin, issuer }: Ready,
  { log, events }: { log: string; events: string },
): string {
  const { username, password, token } = admin;
  const urlOf = (contract: Contract) => url + routesOf(contract)[0]?.path;
  const header = token ? `'Authorization: Token ${token}'` : '"Authorization: Token $TOKEN"';
  const credentials = JSON.stringify({ username, password: password ?? '...' });
  const rows = [
    ['Service', url],
    ['Documentation', urlOf(page)],
    // Passkeys do not work at an IP address.
    ['Administration', urlOf(administration).replace('//127.0.0.1:', '//localhost:')],
    ['Administrator', username],
    ['Password', password ? `${password}   (shown on this first start only)` : 'as shown on the first start'],
    ...(token ? [['API token', `${token}   (shown on this first start only)`]] : []),
    ['Log', log],
    ['Events', events],
    ...(issuer ? [['Issuers', `${issuer.url}   (for trying: whoever asks gets a token)`]] : []),
  ];
  return `
${rows.map(([name = '', value]) => `  ${name.padEnd(15)}${value}`).join('\n')}

  curl -H ${header} ${urlOf(profile)}
  curl -H ${header} '${urlOf(uuids)}?n=3'
  curl -H 'Content-Type: application/json' -d '${credentials.replaceAll("'", "'\\''")}' ${urlOf(login)}
${issuer ? tokensOf(issuer) : ''}
  Ctrl-C stops it.
`;
}

/** The variables that GitHub gives to a job, and a line for each other issuer that requests a token. */
const tokensOf = ({ url, audience }: NonNullable<Ready['issuer']>) => {
  const variables = Object.entries(workflowVariables(url));
  const others = PLATFORMS.filter((platform) => platform !== 'github');
  return `
${variables.map(([name, value]) => `  export ${name}='${value}'`).join('\n')}
${others.map((platform) => `  curl -X POST '${url}/${platform}/token?audience=${audience}'`).join('\n')}
`;
};
