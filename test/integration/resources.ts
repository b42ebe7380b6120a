/** Audience of another service for which the samples request tokens. */
export const ORDERS = 'https://orders.example.com';

/** `Settings:Resources` of an instance on which the samples succeed. */
export const RESOURCES = JSON.stringify([{ audience: ORDERS }]);
