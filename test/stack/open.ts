import { newFolder } from '../unit/support/folder.ts';
import { deployService, startCloud } from './cloud.ts';

/** Deploys a stack on the emulator, prints how to reach it, and keeps it until Ctrl-C. */
const { stop, ...cloud } = await startCloud(newFolder());
await deployService(cloud, 'core-account', { options: process.argv.slice(2) });
for (const [name, value] of Object.entries(cloud.env)) console.log(`export ${name}='${value}'`);
process.once('SIGINT', async () => {
  await stop();
  process.exit();
});
