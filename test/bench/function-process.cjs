// Plain JavaScript: Node.js would load a compiler for TypeScript, which costs more than the floor.
const { writeSync } = require('node:fs');

const [, , file, id] = process.argv;
const report = (value) => writeSync(3, `${JSON.stringify(value)}\n`);

/** CPU time of all threads, and wall time, since the process started. */
const now = () => {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() };
};

process.env['AWS_LAMBDA_FUNCTION_NAME'] = id;
const { handler } = require(file);
report(now());

// Each line is an event. A channel to the parent would load what a function need not load.
require('node:readline')
  .createInterface(process.stdin)
  .on('close', () => process.exit())
  .on('line', async (line) => {
    const event = JSON.parse(line);
    const deadline = Date.now() + 60_000;
    const awsRequestId = event.requestContext?.requestId ?? 'bench';
    const getRemainingTimeInMillis = () => deadline - Date.now();
    const before = now();
    const result = await handler(event, { awsRequestId, functionName: id, getRemainingTimeInMillis });
    const { cpuMs, wallMs } = now();
    const { statusCode = 200, body } = result ?? {};
    const fault = statusCode < 400 ? undefined : body;
    report({ cpuMs: cpuMs - before.cpuMs, wallMs: wallMs - before.wallMs, statusCode, fault });
  });
