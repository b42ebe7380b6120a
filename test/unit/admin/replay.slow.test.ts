import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replay } from '../../../infra/admin/events/replay.ts';
import type { Target } from '../../../infra/admin/target.ts';
import { openPosts } from '../local/posts.ts';
import { newFolder } from '../support/folder.ts';

test.each([
  [['a'], true],
  [['a', 'b'], false],
])(
  'a replay of a local instance that cannot deliver %j of two events reports changes: %s',
  async (ids, changed) => {
    const posts = await openPosts(({ detail }) => (ids.includes((detail as { id: string }).id) ? 500 : 200));
    const data = newFolder();
    onTestFinished(posts.close);
    const lines = ['a', 'b'].map((id) => JSON.stringify({ time: '2026-11-20T12:00:00Z', detail: { id } }));
    writeFileSync(join(data, 'events.jsonl'), lines.join('\n'));
    const options = { since: 0, until: Date.UTC(2027, 0), wait: true };
    const message = `${ids.length} of 2 events were not delivered`;
    const error = { name: 'replay_failed', message, details: { changed } };
    await expect(replay({ data, subscribe: posts.url } as Target, options)).rejects.toMatchObject(error);
  },
);
