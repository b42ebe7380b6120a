import { jobWithoutTable } from '#lib/handler/job';
import { probe } from '#lib/probe/jobs';
import { probeInstance } from '#lib/probe/probe';
import { settingsFromEnvironment } from '#lib/settings';

const { ApiUrl } = settingsFromEnvironment(process.env);

/** Probes the instance through its public URL; runs every minute in the cloud, and not on a local instance. */
export const handler = jobWithoutTable(probe, () => probeInstance(ApiUrl));
