/**
 * Endpoints that a stack with every option can hold within the limits of CloudFormation, 500 resources and a template of 1 MB,
 * if each further one has one route (`test/infra/resources.test.ts` counts).
 */
export const MOST_ENDPOINTS = 64;
