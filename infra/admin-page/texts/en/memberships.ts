/** Roles, teams and applications. */
export const memberships = {
  labels: { roles: 'Roles', teams: 'Teams', apps: 'Applications' },
  creates: { roles: 'role', apps: 'application' },
  role: 'Role',
  search: 'Search',
  names: {
    sys_administrator: 'Administrator',
    sys_tokens: 'Own API tokens',
    sys_introspection: 'Token check',
  },
  permits: {
    sys_administrator: 'Uses this page: sees and changes every account, its roles, passwords and API tokens.',
    sys_tokens: 'Creates API tokens for programs that act as this person.',
    sys_introspection: 'For programs that check who has sent a request to them, not for people.',
  },
  adds: 'Adds: ',
  removes: 'Removes: ',
  thisPerson: 'this person',
  promotion: (of: string, isOne: boolean) =>
    `Yes, make ${of} ${isOne ? 'an administrator' : 'administrators'}, who can see and change every account, give roles to anyone, replace passwords, and cancel accounts.`,
};
