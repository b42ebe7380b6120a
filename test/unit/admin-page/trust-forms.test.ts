import { expect, test } from 'vitest';
import {
  DESCRIPTIONS,
  requirementsOf,
  subjectSoFar,
  WRITTEN,
} from '../../../infra/admin-page/trusts/platforms.ts';

const REPOSITORY = {
  repository: 'octo-org/octo-repo',
  repository_id: '456789',
  owner_id: '123456',
  form: 'new',
  scope: 'branch',
  branch: 'main',
};

const IDS = { repository_id: '456789', repository_owner_id: '123456' };

/** A filled form of each platform, and what its trust requires. */
const FILLED = [
  [
    'github',
    REPOSITORY,
    { subject: 'repo:octo-org@123456/octo-repo@456789:ref:refs/heads/main', claims: IDS },
  ],
  [
    'github',
    { ...REPOSITORY, form: 'old', branch: 'release/2' },
    { subject: 'repo:octo-org/octo-repo:ref:refs/heads/release/2', claims: IDS },
  ],
  [
    'github',
    { ...REPOSITORY, scope: 'environment', environment: ' prod:eu ' },
    { subject: 'repo:octo-org@123456/octo-repo@456789:environment:prod%3Aeu', claims: IDS },
  ],
  [
    'gitlab',
    { project: 'group/sub/project', project_id: '22', branch: 'main' },
    { subject: 'project_path:group/sub/project:ref_type:branch:ref:main', claims: { project_id: '22' } },
  ],
  ['kubernetes', { namespace: 'jobs', account: 'report' }, { subject: 'system:serviceaccount:jobs:report' }],
  ['google', { account: '112233445566778899001' }, { subject: '112233445566778899001' }],
  [
    'aws',
    { account: '123456789012', role: '/jobs/report' },
    { subject: 'arn:aws:iam::123456789012:role/jobs/report' },
  ],
  [
    'other',
    { subject: 'job:7', claims: '{"team": {"id": 7}}' },
    { subject: 'job:7', claims: { team: { id: 7 } } },
  ],
  ['other', { subject: 'job:7', claims: ' ' }, { subject: 'job:7' }],
] as const;

test.each(FILLED)(
  'the form of %s with %j results in its subject and claims',
  (platform, fields, required) => {
    expect(requirementsOf(DESCRIPTIONS[platform] ?? WRITTEN, fields)).toEqual(required);
  },
);

test.each(['{', '[]', '7', 'null'])('claims that are %s are refused in words', (claims) => {
  expect(() => requirementsOf(WRITTEN, { subject: 'job:7', claims })).toThrow(/no JSON object/);
});

test('the subject so far has the first choices, and dots for what is not typed', () => {
  expect(subjectSoFar(DESCRIPTIONS['github'] ?? WRITTEN, { repository: 'octo-org/octo-repo' })).toBe(
    'repo:octo-org@…/octo-repo@…:ref:refs/heads/…',
  );
});
