import { expect, test } from 'vitest';
import { dialogs, field, fill, openPage, press, settle, texts } from './opened.ts';

const TOKEN = {
  username: 'bob',
  name: 'ci',
  token_access: 'full',
  token_created_by: 'bob',
  token_created_at: '2026-01-01T00:00:00Z',
  token_used_at: '2026-01-01T00:00:00Z',
};

const open = (address: string) =>
  openPage({
    address,
    answers: {
      'account/browse': () => ({ items: [{ id: 'u-1', username: 'bob', isactive: true }] }),
      'account/profile/bob': () => ({ user: { username: 'bob' }, roles: [], apps: [], teams: [] }),
      'token/rotate': () => undefined,
      'token/': () => ({ items: [TOKEN] }),
    },
  });

test.each(['#account?username=bob&part=tokens', '#owners'])(
  'at %s, a token gets a new secret, and the old one ends an hour later by default',
  async (address) => {
    const { of } = await open(address);
    await settle();
    await press('Rotate');
    expect([dialogs(), field('Minutes until the old secret ends').value]).toEqual([
      ['Rotate: ci of bob'],
      '60',
    ]);
    expect(texts('dialog small').join()).toContain('0 ends it at once');
    await press('Rotate');
    const [sent] = of('token/rotate');
    expect([sent?.path, sent?.body]).toEqual(['token/rotate/ci/bob', { overlap_minutes: 60 }]);
    sent?.answer({ value: 'cst_new' });
    await settle();
    expect([field('New secret').value, texts('.notice > span')]).toEqual([
      'cst_new',
      ['The token ci of bob is rotated. The old secret works for 60 more minutes.'],
    ]);
    await press('Close');
    expect(texts('.notice')).toHaveLength(1);
  },
);

test('the old secret ends at once where 0 is typed', async () => {
  const { of } = await open('#owners');
  await press('Rotate');
  await fill({ 'Minutes until the old secret ends': '0' });
  await press('Rotate');
  expect(of('token/rotate')[0]?.body).toEqual({ overlap_minutes: 0 });
});
