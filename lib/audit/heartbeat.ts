/** The action of the heartbeat: the ID of the function that writes it. */
export const HEARTBEAT = 'monitoring.probe';

/** Logged for each arrival of a heartbeat, with its age as `auditAgeSeconds`. */
export const ARRIVED = 'Audit lines arrive';

/** Age of a heartbeat that was delayed on its way. */
export const LATE_SECONDS = 300;

/**
 * Whether an audit line is the heartbeat: of the probe, which writes one every minute and audits nothing. It reaches
 * `audit.collect` by the way of all others, where it ends: neither the audit log nor the table has it.
 */
export const isHeartbeat = (line: string) => {
  try {
    return (JSON.parse(line) as { readonly action?: unknown }).action === HEARTBEAT;
  } catch {
    return false;
  }
};
