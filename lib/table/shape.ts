/** The table as plain data, from which CDK and the local instance both create it. */
export const TABLE = {
  partitionKey: 'PK',
  sortKey: 'SK',
  timeToLive: 'ttl',
  /** Nothing is written to GSI2: it exists from the start, since only one index can be added in a deployment. */
  indexes: [
    { name: 'GSI1', partitionKey: 'GSI1PK', sortKey: 'GSI1SK' },
    { name: 'GSI2', partitionKey: 'GSI2PK', sortKey: 'GSI2SK' },
  ],
} as const;
