import { browseTrusts } from '#lib/trust/list';
import type { TrustRecord } from '#lib/trust/record';
import { allPages } from '../all-pages.ts';
import type { Command } from '../command.ts';
import { option } from '../options.ts';
import { listed } from '../output.ts';

export const list: Command = {
  name: 'trust list [username]',
  description: 'list the trusts of all machines, or of one',
  options: [option('--issuer <name>', 'only trusts of this issuer')],
  group: 'support',
  inputs: { table: 'the list is wrong' },
  needs: ['index:GSI1:TRUSTS', 'table:Query:TRUST', 'table:GetItem:CURSORS', 'table:PutItem:CURSORS'],
  audited: false,
  run: async ({ runtime }, username: string | undefined, { issuer }: { issuer?: string }) => {
    const items = await allPages((cursor) => browseTrusts(runtime.table, { username, issuer, cursor }));
    return listed(items, items.map(lineOf));
  },
};

const lineOf = (it: TrustRecord) => {
  const claims = Object.keys(it.claims).length > 0 ? ` with ${JSON.stringify(it.claims)}` : '';
  const limits = [
    it.roles && `roles ${it.roles.join(', ') || 'none'}`,
    it.access === 'read' && 'read only',
    it.addresses && `from ${it.addresses.join(', ')}`,
    `${it.max_minutes} min`,
  ].filter(Boolean);
  return `${it.trust_name}@${it.username}  ${it.issuer}: ${it.subject}${claims}  ${limits.join('; ')}  created ${it.created_at} by ${it.created_by}`;
};
