import { inject } from 'vitest';

// Clients of the AWS SDK in this process reach the emulator.
Object.assign(process.env, inject('cloud').env);
