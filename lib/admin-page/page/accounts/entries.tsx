import { withoutEndedStarts } from '../../../audit/starts.ts';
import type { AuditEntry, Page, RequestOptions } from '../../../client/index.ts';
import { listing } from '../../../client/listing.ts';
import { show } from '../listing.tsx';
import { client } from '../session.ts';

const did = ({ action, outcome }: AuditEntry) => (
  <span class="row">
    {action}
    {outcome !== 'ok' && <span class={`badge ${outcome === 'started' ? 'faint' : 'bad'}`}>{outcome}</span>}
  </span>
);

/** An operator may claim any name: only the other one is proved. */
const by = ({ actor, details }: AuditEntry) => (
  <span class="row">
    <bdi>{actor}</bdi>
    {details?.['claimed_by'] && <span class="badge faint">unproved: {details['claimed_by']}</span>}
  </span>
);

/** The columns of entries in all listings. */
export const COLUMNS = [
  ...show<AuditEntry>({ Time: 'time' }),
  { label: 'Actor', cell: by },
  { label: 'Action', cell: did },
  ...show<AuditEntry>({ Target: 'target', Details: 'details', Request: 'requestId' }),
];

export const keyOf = ({ time, requestId, action }: AuditEntry) => `${time} ${requestId} ${action}`;

/** Lists entries as the command `audit` does, page by page. */
export const read = (input: Parameters<typeof client.audit.browse>[0], options: RequestOptions) =>
  listing(async (cursor = input?.cursor) => {
    const pages = client.audit.browse({ ...input, cursor }, options).pages();
    const page = (await pages.next()).value as Page<AuditEntry>;
    return { ...page, items: withoutEndedStarts(page.items) };
  });
