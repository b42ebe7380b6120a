import { newFolder } from '../unit/support/folder.ts';
import { openCloud } from './cloud.ts';

/** Deploys a stack on the emulator, prints how to reach it, and keeps it until Ctrl-C. */
const folder = newFolder();
const cloud = await openCloud(folder);
const outputs = await cloud.deploy('core-account', process.argv.slice(2));
for (const [name, value] of Object.entries(cloud.env)) console.log(`export ${name}='${value}'`);
console.log(`# ${outputs['ApiUrl']}, files in ${folder}`);
process.once('SIGINT', async () => {
  await cloud.close();
  process.exit();
});
