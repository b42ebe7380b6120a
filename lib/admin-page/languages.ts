/** The languages of the administrator's page (RFC 5646), the default first. */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];
