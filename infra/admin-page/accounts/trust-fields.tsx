import { useState } from 'preact/hooks';
import { namesIn } from '#lib/account/file/cells';
import type { RequestOptions } from '#lib/client/index';
import type { KnownIssuer } from '#lib/trust/known-issuer';
import { MAX_MINUTES, MINUTES } from '#lib/trust/maxima';
import { Field, type Fields } from '../form.tsx';
import { roleChoices } from '../memberships.tsx';
import { Disclosure } from '../parts.tsx';
import { Picker } from '../picker.tsx';
import { client } from '../session.ts';
import type * as forms from '../trusts/index.ts';
import { ACCESS } from './token-list.tsx';

/** The forms and snippets of all platforms: a script that their first use loads. */
export type Forms = typeof forms;

/** Name of the field that chooses the form. */
const HOW = 'how';

/** The form of an issuer: that of its platform, unless the subject and the claims are written. */
const formOf = ({ DESCRIPTIONS, WRITTEN }: Forms, issuer: KnownIssuer | undefined, how?: string) =>
  (how !== 'written' && DESCRIPTIONS[issuer?.platform ?? '']) || WRITTEN;

/** The limits of a trust in a form; an empty field is none. */
const limitsOf = ({ access, roles, addresses, max_minutes }: Fields) => ({
  ...(access === 'read' && { access: 'read' as const }),
  ...(roles && { roles: namesIn(roles) }),
  ...(addresses && { addresses: namesIn(addresses) }),
  ...(max_minutes && { max_minutes: Number(max_minutes) }),
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
  const input = { trust_name, username, issuer, ...forms.requirementsOf(form, fields), ...limitsOf(fields) };
  return client.trust.create(input, options);
}

interface TrustFieldsProps {
  readonly forms: Forms;
  readonly issuers: readonly KnownIssuer[];
  /** The roles of the machine: a trust may be limited to some of them. */
  readonly roles: readonly string[];
}

/** The fields of a new trust: those of the platform, the subject that they result in, and limits. */
export function TrustFields({ forms, issuers, roles }: TrustFieldsProps) {
  const [typed, setTyped] = useState<Fields>({ issuer: `${issuers[0]?.name}` });
  const issuer = issuers.find(({ name }) => name === typed['issuer']);
  const own = forms.DESCRIPTIONS[issuer?.platform ?? ''];
  const form = formOf(forms, issuer, typed[HOW]);
  const follow = ({ target }: Event) => {
    const { name, value } = target as HTMLInputElement;
    setTyped((last) => ({ ...last, [name]: value }));
  };
  return (
    <div onInput={follow}>
      <Field
        label="Name"
        name="trust_name"
        required
        spellcheck={false}
        autocomplete="off"
        placeholder="deploy"
        autofocus
      />
      <Field
        label="Issuer of the tokens"
        name="issuer"
        options={Object.fromEntries(issuers.map(({ name, issuer }) => [name, `${name} (${issuer})`]))}
      />
      {own && (
        <Field
          key={issuer?.name}
          label="Tokens that it accepts"
          name={HOW}
          options={{ platform: own.label, written: forms.WRITTEN.label }}
        />
      )}
      {form.fields.map((field) => (
        <Field key={`${form.label} ${field.name}`} {...field} />
      ))}
      {form !== forms.WRITTEN && (
        <p role="status">
          Subject: <code>{forms.subjectSoFar(form, typed)}</code>
        </p>
      )}
      <Disclosure title="Limits">
        <Field label="Access" name="access" options={ACCESS} />
        {roles.length > 0 && (
          <Picker label="Roles" name="roles" known={roleChoices(roles)} hint="Empty: all of the machine" />
        )}
        <Field label="Addresses" name="addresses" hint="Such as 192.0.2.0/24. Empty: all" />
        <Field
          label="Minutes until a session ends"
          name="max_minutes"
          type="number"
          min={1}
          max={MAX_MINUTES}
          placeholder={`${MINUTES}`}
        />
      </Disclosure>
    </div>
  );
}
