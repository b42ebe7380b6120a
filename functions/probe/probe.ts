import { jobWithoutTable } from '#lib/handler/job';
import { settingsFromEnvironment } from '#lib/instance/settings';
import { probe } from '#lib/probe/jobs';
import { probeInstance } from '#lib/probe/probe';

const { ApiUrl } = settingsFromEnvironment(process.env);

/** Probes the instance through its public URL; runs every minute in the cloud, and not on a local instance. */
export const handler = jobWithoutTable(probe, () => probeInstance(ApiUrl));
