/**
 * The environment variables that bind a function to its resources. The CDK app and the local instance set
 * them, the runtime reads them, and nobody spells them twice.
 */
export const ENVIRONMENT = {
  /** Name of the instance, stable over deployments: `iss` and `aud` of its session tokens. */
  instance: 'INSTANCE',
  table: 'TABLE_NAME',
  eventBus: 'EVENT_BUS_NAME',
  signingKey: 'SIGNING_KEY_SECRET_ID',
} as const;
