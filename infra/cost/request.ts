import { billedMs } from './duration.ts';
import type { Measured } from './measured.ts';
import { type Assumptions, dollars, type PriceName, type Prices } from './prices.ts';

/** What of the deployment decides what a request costs; read from the template. */
export interface Deployed {
  readonly memoryOf: (id: string) => number;
  readonly isArm: boolean;
  /** A line of the gateway's log. */
  readonly gatewayLogBytes: number;
  readonly logDays: number;
  readonly auditDays: number;
}

/** Dollars by who asks for them. */
export interface Costs {
  readonly gateway: number;
  readonly function: number;
  readonly table: number;
  /** Logs, traces and the audit log. */
  readonly logs: number;
  readonly total: number;
}

const MILLION = 1_000_000;
const GB = 1e9;

/** What Lambda itself logs of a run, each line with ids and figures of the usual length. */
export const PLATFORM_LINES: readonly string[] = [
  `START RequestId: ${'0'.repeat(36)} Version: $LATEST\n`,
  `END RequestId: ${'0'.repeat(36)}\n`,
  `REPORT RequestId: ${'0'.repeat(36)}\tDuration: 12.34 ms\tBilled Duration: 13 ms\tMemory Size: 512 MB\tMax Memory Used: 100 MB\t\nXRAY TraceId: 1-${'0'.repeat(8)}-${'0'.repeat(24)}\tSegmentId: ${'0'.repeat(16)}\tSampled: true\t\n`,
];
const PLATFORM_BYTES = PLATFORM_LINES.join('').length;

/** The price of a GB-second. */
export const gbSecond = (isArm: boolean): PriceName => (isArm ? 'lambdaArm' : 'lambdaX86');

/** Dollars to run a function a million times. */
export function functionMillion(
  measured: Measured,
  memory: number,
  isArm: boolean,
  prices: Prices,
  assumed: Assumptions,
) {
  const seconds = (billedMs(measured, memory, assumed) / 1000) * MILLION;
  return (
    dollars(prices, 'lambdaRequest', MILLION) + dollars(prices, gbSecond(isArm), (seconds * memory) / 1024)
  );
}

/** Dollars to take so many bytes into a log and to keep them. */
export const logged = (bytes: number, days: number, prices: Prices, { archivedShare }: Assumptions) =>
  dollars(prices, 'logIngestion', bytes / GB) +
  dollars(prices, 'logStorage', (bytes * archivedShare * (days * 12)) / 365 / GB);

/** The share of requests that are traced, of so many a second. */
export const tracedShare = (perSecond: number, { tracesPerSecond, tracedShare: share }: Assumptions) =>
  Math.min(1, (tracesPerSecond + share * Math.max(0, perSecond - tracesPerSecond)) / perSecond);

/**
 * Dollars for a million requests.
 *
 * @param perSecond traffic that they are part of, which decides how many are traced
 */
export function requestMillion(
  measured: Measured,
  deployed: Deployed,
  prices: Prices,
  assumed: Assumptions,
  perSecond = assumed.requestsPerSecond,
): Costs {
  const { id, logBytes, logLines, auditBytes, auditLines, answerBytes, reads, writes, events } = measured;
  const { memoryOf, isArm, gatewayLogBytes, logDays, auditDays } = deployed;
  const gateway =
    dollars(prices, 'httpApiRequest', MILLION) +
    dollars(prices, 'dataOut', (MILLION * (answerBytes + assumed.headerBytes)) / GB);
  const run =
    functionMillion(measured, memoryOf(id), isArm, prices, assumed) +
    dollars(prices, 'event', MILLION * events);
  const table =
    dollars(prices, 'tableRead', MILLION * reads) + dollars(prices, 'tableWrite', MILLION * writes);
  const lines = logLines + PLATFORM_LINES.length + 1;
  const bytes = logBytes + PLATFORM_BYTES + gatewayLogBytes + lines * assumed.logLineBytes;
  const collected = auditLines
    ? dollars(prices, 'lambdaRequest', MILLION) +
      dollars(
        prices,
        gbSecond(isArm),
        (MILLION * assumed.collectMs * memoryOf('audit.collect')) / 1024 / 1000,
      ) +
      logged(
        MILLION * (PLATFORM_BYTES + PLATFORM_LINES.length * assumed.logLineBytes),
        logDays,
        prices,
        assumed,
      ) +
      logged(MILLION * (auditBytes + auditLines * assumed.logLineBytes), auditDays, prices, assumed)
    : 0;
  const logs =
    logged(MILLION * bytes, logDays, prices, assumed) +
    dollars(prices, 'trace', MILLION * tracedShare(perSecond, assumed)) +
    collected;
  return { gateway, function: run, table, logs, total: gateway + run + table + logs };
}
