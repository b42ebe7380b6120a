import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { expect, test } from 'vitest';
import { bundleFile } from '../../infra/bundle.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { get, noted } from './service.ts';

interface Message {
  readonly method?: string;
  readonly params: Record<string, unknown>;
}

/** Speaks the protocol of Node's inspector to the thread of a function, which `NodeWorker` leads to. */
async function attach(url: string) {
  const socket = new WebSocket(url);
  const seen: Message[] = [];
  let id = 0;
  let sessionId: unknown;
  const receive = (message: Message) => {
    seen.push(message);
    if (message.method === 'NodeWorker.attachedToWorker') {
      sessionId = message.params['sessionId'];
      for (const method of ['Debugger.enable', 'Runtime.runIfWaitingForDebugger']) toThread(method);
    }
    if (message.method === 'NodeWorker.receivedMessageFromWorker')
      receive(JSON.parse(message.params['message'] as string) as Message);
  };
  const send = (method: string, params: object = {}) =>
    socket.send(JSON.stringify({ id: ++id, method, params }));
  const toThread = (method: string, params: object = {}) =>
    send('NodeWorker.sendMessageToWorker', {
      sessionId,
      message: JSON.stringify({ id: ++id, method, params }),
    });
  socket.addEventListener('message', ({ data }) => receive(JSON.parse(data as string) as Message));
  await once(socket, 'open');
  send('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return {
    toThread,
    close: () => socket.close(),
    /** The first message of this kind, which may be yet to come. */
    async seen(method: string, holds: (params: Message['params']) => boolean = () => true) {
      const find = () => seen.find((message) => message.method === method && holds(message.params));
      await expect.poll(find).toBeTruthy();
      return find()?.params as Record<string, unknown>;
    },
  };
}

/** Where a line of a source stands in the bundle of a function; both count from 0. */
function placeOf(id: string, source: string, text: string) {
  const line = readFileSync(source, 'utf8')
    .split('\n')
    .findIndex((one) => one.includes(text));
  const payload = JSON.parse(readFileSync(`${bundleFile(id)}.map`, 'utf8'));
  const index = payload.sources.findIndex((one: string) => one.endsWith(source));
  const map = new SourceMap(payload);
  const bundle = readFileSync(bundleFile(id), 'utf8').split('\n');
  for (const [lineNumber, code] of bundle.entries())
    for (let columnNumber = 0; columnNumber < code.length; columnNumber++) {
      const entry = map.findEntry(lineNumber, columnNumber) as {
        originalSource?: string;
        originalLine?: number;
      };
      if (entry.originalLine === line && entry.originalSource?.endsWith(payload.sources[index]))
        return { lineNumber, columnNumber };
    }
  throw new Error(`${source} is not in the bundle of ${id}`);
}

test('a breakpoint in TypeScript stops the function that runs it, as long as one likes', async () => {
  const instance = await startInstance({
    data: await newFolder(),
    nodeArgs: ['--inspect=127.0.0.1:0'],
    args: ['--no-demo', '--memory'],
  });
  const [url] = /ws:\/\/\S+/.exec(instance.output()) ?? [];
  const inspector = await attach(url as string);
  const request = { base: instance.ready.url, token: noted(instance.ready.admin.token as string) };
  await get('/api/core/system/ping', request);

  const script = await inspector.seen('Debugger.scriptParsed', ({ url: file }) =>
    String(file).endsWith('system.ping/index.cjs'),
  );
  expect(script['sourceMapURL']).toBe('index.cjs.map');
  const { lineNumber, columnNumber } = placeOf(
    'system.ping',
    'lib/system/ping.ts',
    'username: caller.username',
  );
  inspector.toThread('Debugger.setBreakpoint', {
    location: { scriptId: script['scriptId'], lineNumber, columnNumber },
  });
  const reply = get('/api/core/system/ping', request);
  await inspector.seen('Debugger.paused');
  inspector.toThread('Debugger.resume');
  expect((await reply).status).toBe(200);
  inspector.close();
});
