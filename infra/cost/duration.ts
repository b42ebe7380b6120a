import type { Measured } from './measured.ts';
import type { Assumptions } from './prices.ts';

/** Sizes that are compared, in MB. */
export const SIZES = [128, 256, 512, 1024, 1769, 3008] as const;

type Work = Pick<Measured, 'cpuMs' | 'loadCpuMs' | 'firstCpuMs' | 'roundTrips' | 'events'>;

/** How long CPU time takes with the share of a CPU that comes with so much memory; one thread has no use for two. */
const stretched = (cpuMs: number, memory: number, { cpuScale, fullCpuMb }: Assumptions) =>
  (cpuMs * cpuScale * fullCpuMb) / Math.min(memory, fullCpuMb);

const waitMs = ({ roundTrips, events }: Work, { tableRoundTripMs, eventMs }: Assumptions) =>
  roundTrips * tableRoundTripMs + events * eventMs;

/** How long a request takes a warm function with so much memory, in milliseconds. */
export const warmMs = (work: Work, memory: number, assumed: Assumptions) =>
  stretched(work.cpuMs, memory, assumed) + waitMs(work, assumed);

/** How long a request takes that starts the function first. */
export const coldMs = (work: Work, memory: number, assumed: Assumptions) =>
  stretched(work.loadCpuMs + work.firstCpuMs, memory, assumed) + waitMs(work, assumed) + assumed.coldExtraMs;

/** What is paid for, on average: whole milliseconds, those of the start included. */
export const billedMs = (work: Work, memory: number, assumed: Assumptions) =>
  (1 - assumed.coldShare) * Math.ceil(warmMs(work, memory, assumed)) +
  assumed.coldShare * Math.ceil(coldMs(work, memory, assumed));

/** Whether a function may have so little: what it was seen to need, and headroom. */
export const isEnough = ({ peakMb }: Pick<Measured, 'peakMb'>, memory: number, { headroom }: Assumptions) =>
  memory * 1.048576 >= peakMb * headroom;
