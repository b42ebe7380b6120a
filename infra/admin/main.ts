import { logTo } from '#lib/log/log';
import { admin } from './program.ts';

logTo(process.stderr);
process.exitCode = await admin(process.argv.slice(2));
