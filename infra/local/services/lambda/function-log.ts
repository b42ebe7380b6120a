import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { isHeartbeat } from '#lib/audit/heartbeat';
import { REFUSED } from '#lib/audit/store';
import { isOwnLine } from '#lib/audit/streams';
import type { Description } from '#lib/log/log';
import { escapeControls } from '#lib/text/control-characters';
import { say } from '../../machine/terminal.ts';

/**
 * Opens the log of all functions, and that of their audit lines, which both have; the terminal shows each error and each refused credential in
 * one line. As the collector of a stack, it takes an audit line only from the function that the line names.
 */
export function openFunctionLog(path: string, auditPath: string) {
  const [file, audit] = [open(path), open(auditPath)];
  const append = (line: string) => {
    const to = isAudit(line) && !isHeartbeat(line) ? [file, audit] : [file];
    for (const each of to) if (each.writable) each.write(`${line}\n`);
    if (line.startsWith('{"level":"error"') || line.includes('"cause":"')) tell(line);
  };
  const write = ({ level, ...line }: Readonly<Record<string, unknown>>) =>
    append(JSON.stringify({ level, time: new Date().toISOString(), ...line }));
  return {
    path,
    /** @param id of the function that writes the output */
    take(output: Readable, id: string): void {
      let rest = '';
      const receive = (line: string) =>
        isAudit(line) && !isOwnLine(id, line)
          ? write({ level: 'warn', function: id, message: REFUSED, count: 1 })
          : append(line);
      output.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        lines.forEach(receive);
      });
      output.once('end', () => {
        if (rest !== '') receive(rest);
      });
    },
    write,
    async close(): Promise<void> {
      for (const each of [file, audit]) each.end();
      await Promise.all([file, audit].map((each) => finished(each).catch(() => undefined)));
    },
  };
}

const isAudit = (line: string) => line.startsWith('{"level":"audit"');

export type FunctionLog = ReturnType<typeof openFunctionLog>;

function open(path: string) {
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
  file.on('error', ({ message }) => say(`The log cannot be written: ${message}`));
  return file;
}

/**
 * `error  account.lock  <request id>  TypeError: ... at transition (lib/account/lifecycle/transition.ts:60:5)`, or
 * `refused  account.lock  <request id>  token_expired`
 */
function tell(line: string) {
  try {
    const parsed = JSON.parse(line) as Record<string, string> & { error?: Description };
    const { function: id, requestId, message, error, outcome = 'error', cause } = parsed;
    const where = error?.stack?.find((frame) => /\(?(lib|functions)\//.test(frame));
    const what = error ? `${error.name}: ${error.message ?? ''}` : '';
    say(escapeControls([outcome, id, requestId, message, cause, what, where].filter(Boolean).join('  ')));
  } catch {
    say(escapeControls(line));
  }
}
