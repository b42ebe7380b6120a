import type { RequestOptions } from '#lib/client/index';
import { locale } from '#texts/locale';
import { profile as t } from '#texts/profile';
import { EditInPlace } from '../edit-in-place.tsx';
import type { FieldProps, Fields, FormProps } from '../form.tsx';
import { Disclosure } from '../parts.tsx';
import { client, useOwnName } from '../session.ts';
import { changesIn, FIELDS, textOf } from './fields.tsx';
import { nameOf } from './person.tsx';
import type { ReadProfile } from './read.ts';

/** What is folded, by name. */
const FOLDED = new Intl.ListFormat(locale.dates).format([
  t.app,
  ...FIELDS.filter(({ isCommon }) => !isCommon).map(({ label }) => t.inList(label)),
]);

const byName = (names: readonly (readonly [string, string])[], own: string | null | undefined): Fields =>
  Object.fromEntries(own ? names : [['', t.none], ...names]);

/** The fields of a profile, each edited in its place; those for programs are folded. */
export function ProfileFacts({ user, teams, apps, etag, after }: ReadProfile) {
  const { username } = user;
  const isOwn = username === useOwnName();
  const save = (fields: Fields, options: RequestOptions) =>
    client.account
      .profileUpdate({ username, ...changesIn(fields, user) }, { ...options, ifMatch: etag })
      // Also after a refusal: another person may have saved before.
      .finally(after);
  const setApp = ({ app_name = '' }: Fields, options: RequestOptions) =>
    client.account.context({ username, app_name }, options).finally(after);
  const edit = (field: FieldProps & { value: string }, run: FormProps['onSubmit'] = save) => (
    <div key={field.name} class={field.isLong ? 'long' : undefined}>
      <dt>{field.label}</dt>
      <dd>
        <EditInPlace
          {...field}
          run={run}
          done={() => (isOwn ? t.saved(field.label) : t.savedOf(field.label, nameOf(user) || username))}
        />
      </dd>
    </div>
  );
  const [common, others] = [true, false].map((is) =>
    FIELDS.filter(({ isCommon }) => isCommon === is).map(({ isCommon: _, ...field }) =>
      edit({ ...field, value: textOf(user, field.name) }),
    ),
  );
  const team = {
    label: t.team,
    name: 'team_id',
    value: user.team_id ?? '',
    options: byName(
      teams.map(({ team_id, team_short }) => [team_id, team_short]),
      user.team_id,
    ),
  };
  const app = {
    label: t.app,
    name: 'app_name',
    value: user.user_app_name ?? '',
    options: byName(
      apps.map((name) => [name, name]),
      user.user_app_name,
    ),
    hint: t.appHint,
  };
  return (
    <section class="part">
      <dl class="grid card">
        {common}
        {edit(team)}
      </dl>
      <Disclosure title={FOLDED}>
        <dl class="grid card">
          {edit(app, setApp)}
          {others}
        </dl>
      </Disclosure>
    </section>
  );
}
