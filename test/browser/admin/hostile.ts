import { accountKey, directoryIndex, outboxKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { administrator, target } from '../../integration/service.ts';
import { eventItem, storedSession, storedToken } from '../../unit/support/items.ts';
import { createAlike } from './page.ts';

/** Turns the direction of all text that follows, unless it is isolated. */
export const OVERRIDE = '\u202e';

const MARKUP = `<img src=x onerror=alert(1)><script>alert(1)</script>${OVERRIDE}`;
const WIDE = '\ufdfd'.repeat(128);

/** Creates accounts, of which the first has in all fields what earlier versions accepted, and the second is locked so. */
export async function createHostile(): Promise<string> {
  const { prefix, users } = await createAlike(12, { lockoutenabled: true });
  const [first, second] = users as [(typeof users)[0], (typeof users)[0]];
  const { runtime } = await target();
  const { table } = runtime;
  const { team_id } = await administrator.team.create({
    short: prefix.slice(0, 30),
    name: `<b>${'W'.repeat(100)}`,
    type: 'test',
  });
  const membership = { team_id, team_short: MARKUP, team_name: WIDE, team_type: MARKUP, teamuser_lvl: null };
  const account = {
    ...first.account,
    user_first_name: MARKUP,
    user_last_name: WIDE,
    user_short: OVERRIDE,
    user_color: 'red;background:url(//other.example)',
    phonenumber: MARKUP,
    roles: ['editor', MARKUP, 'w'.repeat(128)],
    apps: [MARKUP, WIDE],
    teams: [membership],
    team_id,
    team_name: WIDE,
    user_app_name: MARKUP,
  };
  const { username, id } = account;
  await put(table, accountKey(username), { ...directoryIndex(username), ...account });
  await storedToken(table, { username, userid: id, name: MARKUP, description: WIDE });
  await storedSession(table, account, { user_agent: MARKUP + WIDE, address: MARKUP, credential: MARKUP });
  const event = eventItem(1, { detailType: MARKUP, detail: JSON.stringify({ username: MARKUP }) });
  await put(table, outboxKey(event.id), { ...event, detail: `${event.detail}`, setAsideAt: 1 });
  const locked = { ...second.account, lockoutend: '9999-12-31T23:59:59+00:00', lock_reason: MARKUP + WIDE };
  await put(table, accountKey(second.username), { ...directoryIndex(second.username), ...locked });
  return prefix;
}
