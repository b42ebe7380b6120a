/** Environment variables that bind a function to its resources. The CDK app and the local instance set them. */
export const ENVIRONMENT = {
  /** Name of the instance, stable over deployments: `iss` and `aud` of its session tokens. */
  instance: 'INSTANCE',
  table: 'TABLE_NAME',
  eventBus: 'EVENT_BUS_NAME',
  signingKey: 'SIGNING_KEY_SECRET_ID',
  resourceKey: 'RESOURCE_KEY_SECRET_ID',
  erasureKey: 'ERASURE_KEY_SECRET_ID',
  auditLog: 'AUDIT_LOG_GROUP_NAME',
  functionLog: 'FUNCTION_LOG_GROUP_NAME',
  /** JSON of how long the resources of the stack keep data, for the function that erases. */
  retentions: 'RETENTION_DAYS',
} as const;

/** Variable of the SDK: its value, the function, is in the user agent of every call and so in CloudTrail. */
export const APP_ID = 'AWS_SDK_UA_APP_ID';
