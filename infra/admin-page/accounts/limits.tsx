import { useState } from 'preact/hooks';
import { namesIn } from '#lib/account/file/cells';
import { tokens as t } from '#texts/tokens';
import { Field, type Fields, useDraft } from '../form.tsx';
import { roleChoices } from '../memberships.tsx';
import { Picker } from '../picker.tsx';

/** Which requests a credential permits, in words. */
export const ACCESS = t.access;

/** Whether all are permitted, or only some that are named. */
const SOME = 'some';

/** The limits of a credential in a form. @throws a text for people */
export function limitsIn({ access, roles, addresses, which_roles }: Fields) {
  const names = namesIn(roles);
  // Nothing that is picked would be no limit.
  if (which_roles === SOME && names.length === 0) throw t.pickRoles;
  return {
    ...(access === 'read' && { access: 'read' as const }),
    ...(names.length > 0 && { roles: names }),
    ...(addresses && { addresses: namesIn(addresses) }),
  };
}

/** The fields that limit a credential. */
export function LimitFields({ roles }: { readonly roles: readonly string[] }) {
  const [which, setWhich] = useState<Fields>({
    which_roles: useDraft('which_roles') ?? '',
    which_addresses: useDraft('which_addresses') ?? '',
  });
  const follow = ({ currentTarget: { name, value } }: { currentTarget: HTMLInputElement }) =>
    setWhich((last) => ({ ...last, [name]: value }));
  return (
    <>
      <Field label={t.accessLabel} name="access" options={ACCESS} />
      {roles.length > 0 && (
        <Field label={t.roles} name="which_roles" options={t.whichRoles} onInput={follow} />
      )}
      {which['which_roles'] === SOME && (
        <Picker label={t.theseRoles} name="roles" known={roleChoices(roles)} />
      )}
      <Field label={t.addresses} name="which_addresses" options={t.whichAddresses} onInput={follow} />
      {which['which_addresses'] === SOME && (
        <Field
          label={t.theseAddresses}
          name="addresses"
          required
          spellcheck={false}
          autocomplete="off"
          placeholder="192.0.2.0/24"
          hint={t.addressesHint}
        />
      )}
    </>
  );
}
