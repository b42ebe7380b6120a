import { expect, test } from 'vitest';
import { readHead } from '#lib/account/file/head';

/** The columns that a row of names sets, and the names that it does not know. */
function read(names: string) {
  const { columns, errors } = readHead(names.split(','));
  const faulty = errors.flatMap(({ field }) => (field ? [Number(field.replace('column ', '')) - 1] : []));
  const known = columns.map((column, index) => (faulty.includes(index) ? '' : column));
  return { known: known.filter(Boolean), errors };
}

const [USERNAME, FIRST, LAST] = ['username', 'user_first_name', 'user_last_name'];

/** Columns of exports and templates as their makers name them, without those that have no meaning here. */
test.each<[string, string, string[]]>([
  [
    'Google Workspace',
    'First Name [Required],Last Name [Required],Email Address [Required],Work Phone',
    [FIRST, LAST, USERNAME, 'phonenumber'],
  ],
  [
    'Google Workspace, older',
    'First Name,Last Name,Email Address,Mobile Phone',
    [FIRST, LAST, USERNAME, 'phonenumber'],
  ],
  [
    'a template of Entra ID',
    'User name [userPrincipalName] Required,First name [givenName],Last name [surname],Mobile phone [mobile]',
    [USERNAME, FIRST, LAST, 'phonenumber'],
  ],
  [
    'a template of Entra ID in another language',
    'Nom d’utilisateur [userPrincipalName] Obligatoire,Prénom [givenName],Nom [surname],Tél. mobile [mobile]',
    [USERNAME, FIRST, LAST, 'phonenumber'],
  ],
  [
    'an export of Entra ID',
    'userPrincipalName,surname,givenName,mobilePhone,id',
    [USERNAME, LAST, FIRST, 'phonenumber', 'id'],
  ],
  [
    'Microsoft 365',
    'User principal name,First name,Last name,Mobile Phone',
    [USERNAME, FIRST, LAST, 'phonenumber'],
  ],
  ['Okta', 'login,firstName,lastName,mobilePhone', [USERNAME, FIRST, LAST, 'phonenumber']],
  ['Okta', 'email,firstName,lastName,primaryPhone', [USERNAME, FIRST, LAST, 'phonenumber']],
  ['Personio', 'First name,Last name,Email,Team', [FIRST, LAST, USERNAME, 'teams']],
  [
    'Personio in German',
    'Vorname,Nachname,E-Mail,Team,Mobilnummer',
    [FIRST, LAST, USERNAME, 'teams', 'phonenumber'],
  ],
  ['BambooHR', 'First Name,Last Name,Work Email,Mobile Phone', [FIRST, LAST, USERNAME, 'phonenumber']],
  ['BambooHR, its API', 'firstName,lastName,workEmail,workPhone', [FIRST, LAST, USERNAME, 'phonenumber']],
  [
    'BambooHR in German',
    'Vorname,Nachname,Geschäftliche E-Mail,Mobiltelefon',
    [FIRST, LAST, USERNAME, 'phonenumber'],
  ],
  [
    'people',
    'BENUTZERNAME*,vor-name,Fam\u00adilienname,K\u0075\u0308rzel,Telefon-Nr.,Rollen,Währung,E-Mail confirmed',
    [USERNAME, FIRST, LAST, 'user_short', 'phonenumber', 'roles', 'user_currency', 'emailconfirmed'],
  ],
])('the names of columns in an export of %s are understood: %s', (_of, names, columns) => {
  expect(read(names).known).toEqual(columns);
});

const GOOGLE =
  'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Password Hash Function [UPLOAD ONLY],Org Unit Path [Required],New Primary Email [UPLOAD ONLY],Recovery Email,Home Secondary Email,Work Secondary Email,Recovery Phone [MUST BE IN THE E.164 FORMAT],Work Phone,Home Phone,Employee ID,Employee Type,Employee Title,Manager Email,Department,Cost Center,2sv Enrolled [READ ONLY],Building ID,Change Password at Next Sign-In,New Status [UPLOAD ONLY]';

test.each([
  ['Google Workspace', GOOGLE, 4],
  [
    'Entra ID',
    'Name [displayName] Required,User name [userPrincipalName] Required,Initial password [passwordProfile] Required,Block sign in (Yes/No) [accountEnabled] Required,Job title [jobTitle],Usage location [usageLocation]',
    1,
  ],
  ['Okta', 'login,firstName,middleName,honorificPrefix,displayName,secondEmail,employeeNumber', 2],
  ['BambooHR', 'Employee #,First Name,Hire Date,Job Title,Reporting to,Home Email', 1],
  ['one with no known name', 'Employee #,Hire Date,Reporting to', 0],
])('each column without a meaning here in an export of %s is named as a whole', (_of, names, known) => {
  const result = read(names);
  expect(result.known).toHaveLength(known);
  const all = names.split(',');
  const unknown = result.errors.filter(({ field }) => field);
  expect(unknown).toHaveLength(all.length - known);
  for (const { field, message } of unknown)
    expect(message).toBe(`“${all[Number(field.slice(7)) - 1]}” is not a column of an import`);
});

test.each([
  ['login,firstName,email', 3, 'email', 'username', 1],
  ['Username,First name,User name', 3, 'User name', 'username', 1],
  ['Work Phone,username,Mobile Phone', 3, 'Mobile Phone', 'phonenumber', 1],
  ['username,Vorname,First name', 3, 'First name', 'user_first_name', 2],
])('two names of one column are a fault: %s', (names, column, name, property, first) => {
  expect(read(names).errors[0]).toEqual({
    field: `column ${column}`,
    message: `“${name}” sets ${property}, as column ${first} does: delete one of them`,
  });
});

test.each(['ada,hunter2,2', 'ada,ada@example.org,Ada', 'ada,$ecret!,x'])(
  'a first line %j, which may have values instead of names, is quoted nowhere',
  (line) => {
    const { known, errors } = read(line);
    expect(known).toEqual([]);
    expect(errors.map(({ message }) => message).join()).not.toMatch(/ada|hunter2|ecret/);
  },
);
