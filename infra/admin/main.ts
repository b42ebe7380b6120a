import { logTo } from '#lib/log/log';
import { admin } from './program.ts';

logTo(process.stderr);
process.exitCode = await admin(process.argv.slice(2));
// A call without an answer would keep the process until its last attempt.
process.stdout.write('', (error) => process.exit(error ? 1 : process.exitCode));
