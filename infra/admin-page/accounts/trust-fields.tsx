import { useState } from 'preact/hooks';
import type { RequestOptions } from '#lib/client/index';
import type { KnownIssuer } from '#lib/trust/known-issuer';
import { MAX_MINUTES, MINUTES } from '#lib/trust/maxima';
import { trusts as t } from '#texts/trusts';
import { Field, type Fields, useDraft } from '../form.tsx';
import { Disclosure } from '../parts.tsx';
import { client } from '../session.ts';
import type * as forms from '../trusts/index.ts';
import { LimitFields, limitsIn } from './limits.tsx';
import { NameField } from './suggested.tsx';

/** The forms and snippets of all platforms: a script that their first use loads. */
export type Forms = typeof forms;

/** Name of the field that chooses the form. */
const HOW = 'how';

/** The form of an issuer: that of its platform, unless the subject and the claims are written. */
const formOf = ({ DESCRIPTIONS, WRITTEN }: Forms, issuer: KnownIssuer | undefined, how?: string) =>
  (how !== 'written' && DESCRIPTIONS[issuer?.platform ?? '']) || WRITTEN;

/** Minutes until a session ends, to choose from; the service has a maximum. */
const LIFETIMES = Object.fromEntries(
  [5, MINUTES, 30, MAX_MINUTES].map((minutes) => [minutes, t.after(minutes)]),
);

/** The limits of a trust in a form. */
const termsIn = ({ max_minutes, ...fields }: Fields) => ({
  ...limitsIn(fields),
  ...(max_minutes && max_minutes !== `${MINUTES}` && { max_minutes: Number(max_minutes) }),
});

export function createTrust(
  forms: Forms,
  issuers: readonly KnownIssuer[],
  { username, ...fields }: Fields & { readonly username: string },
  options: RequestOptions,
) {
  const { trust_name = '', issuer = '', [HOW]: how } = fields;
  const form = formOf(
    forms,
    issuers.find(({ name }) => name === issuer),
    how,
  );
  const input = { trust_name, username, issuer, ...forms.requirementsOf(form, fields), ...termsIn(fields) };
  return client.trust.create(input, options);
}

interface TrustFieldsProps {
  readonly forms: Forms;
  readonly issuers: readonly KnownIssuer[];
  /** The roles of the machine: a trust may be limited to some of them. */
  readonly roles: readonly string[];
}

/** The names of the fields that a form may have. */
const namesOf = ({ DESCRIPTIONS, WRITTEN }: Forms) => [
  'issuer',
  HOW,
  ...new Set(
    [...Object.values(DESCRIPTIONS), WRITTEN].flatMap(({ fields }) => fields.map(({ name }) => name)),
  ),
];

/** The fields of a new trust: those of the platform, the subject that they result in, and limits. */
export function TrustFields({ forms, issuers, roles }: TrustFieldsProps) {
  const earlier = Object.fromEntries(namesOf(forms).map((name) => [name, useDraft(name)]));
  const [typed, setTyped] = useState<Fields>({
    issuer: `${issuers[0]?.name}`,
    ...Object.fromEntries(
      Object.entries(earlier).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  });
  const issuer = issuers.find(({ name }) => name === typed['issuer']);
  const own = forms.DESCRIPTIONS[issuer?.platform ?? ''];
  const form = formOf(forms, issuer, typed[HOW]);
  const follow = ({ target }: Event) => {
    const { name, value } = target as HTMLInputElement;
    setTyped((last) => ({ ...last, [name]: value }));
  };
  const fieldsOf = (isRare: boolean) =>
    form.fields
      .filter((field) => (field.isRare ?? false) === isRare && field.isFor?.(typed) !== false)
      .map(({ isWide, isRare: _, isFor: __, ...field }) => (
        <div key={`${form.label} ${field.name}`} class={isWide ? 'wide' : undefined}>
          {/* Keeps its value while another one takes its place. */}
          <Field {...field} {...(!field.options && { value: typed[field.name] ?? '' })} />
        </div>
      ));
  return (
    <div class="pairs" onInput={follow}>
      <div>
        <NameField name="trust_name" placeholder={t.placeholder} autofocus />
      </div>
      <Field
        label={t.issuer}
        name="issuer"
        options={Object.fromEntries(issuers.map(({ name, issuer }) => [name, `${name} (${issuer})`]))}
      />
      {fieldsOf(false)}
      {form !== forms.WRITTEN && (
        <p role="status" class="wide">
          {t.subject(<code>{forms.subjectSoFar(form, typed)}</code>)}
        </p>
      )}
      {own && (
        <div key={issuer?.name} class="wide">
          <Disclosure title={t.otherTokens}>
            <Field label={t.how} name={HOW} options={{ platform: own.label, written: forms.WRITTEN.label }} />
            {fieldsOf(true)}
          </Disclosure>
        </div>
      )}
      <div class="wide">
        <Disclosure title={t.restrict}>
          <LimitFields roles={roles} />
          <Field label={t.sessions} name="max_minutes" options={LIFETIMES} defaultValue={`${MINUTES}`} />
        </Disclosure>
      </div>
    </div>
  );
}
