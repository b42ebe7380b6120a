// Stands before the collector of audit lines on the emulator, whose streams of a shared log group do not name the function, as
// those of Lambda do: `2026/11/20/[$LATEST]0f2b`. The action of the lines of one invocation tells which function wrote them.
const { gunzipSync, gzipSync } = require('node:zlib');
const { handler } = require('./index.cjs');

const UNNAMED = /^(\d{4}\/\d\d\/\d\d\/)(\[[^/]*)$/;

function actionIn(message) {
  try {
    return JSON.parse(message).action;
  } catch {
    return undefined;
  }
}

function named({ awslogs }) {
  const data = JSON.parse(gunzipSync(Buffer.from(awslogs.data, 'base64')).toString());
  const [, date, rest] = UNNAMED.exec(data.logStream) ?? [];
  const action = data.logEvents.map(({ message }) => actionIn(message)).find((it) => it !== undefined);
  if (date !== undefined && action !== undefined)
    data.logStream = `${date}${process.env.INSTANCE}-${action.replace('.', '-')}${rest}`;
  return { awslogs: { data: gzipSync(JSON.stringify(data)).toString('base64') } };
}

exports.handler = (event, context) => handler(named(event), context);
