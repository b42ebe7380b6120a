/** The table as plain data, from which CDK and the local instance both create it. */
export const TABLE = {
  partitionKey: 'PK',
  sortKey: 'SK',
  timeToLive: 'ttl',
  /** GSI2 is unused. It exists from the start, since a deployment can add one index only. */
  indexes: [
    { name: 'GSI1', partitionKey: 'GSI1PK', sortKey: 'GSI1SK' },
    { name: 'GSI2', partitionKey: 'GSI2PK', sortKey: 'GSI2SK' },
  ],
} as const;
