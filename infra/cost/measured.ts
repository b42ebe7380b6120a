/** What one request takes of a function, as a run has measured it: medians, where not told otherwise. */
export interface Measured {
  readonly id: string;
  /** What was asked for, where the cost depends on it. */
  readonly about?: string;
  /** CPU time of the function once it is warm, in milliseconds of the machine that measured; the mean. */
  readonly cpuMs: number;
  /** CPU time to start Node.js and to load the code. */
  readonly loadCpuMs: number;
  /** CPU time of the first request. */
  readonly firstCpuMs: number;
  /** The most memory, in MB, that its process has had, the largest requests included. */
  readonly peakMb: number;
  /** Read and write request units, as the engine reports them. */
  readonly reads: number;
  readonly writes: number;
  /** Commands to the table that follow one another. */
  readonly roundTrips: number;
  /** Events published. */
  readonly events: number;
  readonly logBytes: number;
  readonly logLines: number;
  /** Of its lines, those that the audit log keeps as well. */
  readonly auditBytes: number;
  readonly auditLines: number;
  readonly answerBytes: number;
}
