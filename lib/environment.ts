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
  auditLog: 'AUDIT_LOG_GROUP_NAME',
} as const;

/** The SDK's own: what it is set to stands in the user agent of every call, and so in CloudTrail: the function. */
export const APP_ID = 'AWS_SDK_UA_APP_ID';
