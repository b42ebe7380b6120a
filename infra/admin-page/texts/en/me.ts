export const me = {
  profile: 'Profile',
  password: 'Password',
  passkeys: 'Passkeys',
  sessions: 'Sessions',
  tokens: 'API tokens',
};
