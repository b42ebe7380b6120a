/** Longest time in minutes for which the former secret of a rotated token stays valid. */
export const MAX_OVERLAP = 1440;

/** Maximum of CIDR blocks of a token. */
export const MAX_ADDRESSES = 20;

/** Maximum length of the roles of a token as JSON: its session tokens contain them. */
export const MAX_ROLES_LENGTH = 2000;
