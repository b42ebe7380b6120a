import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { expect, test } from 'vitest';
import { bundleFile } from '../../infra/bundle.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { get, noted } from './service.ts';

type Params = Record<string, unknown>;

/** Speaks the protocol of Node's inspector with the thread of a function. */
async function attach(url: string) {
  const socket = new WebSocket(url);
  const seen: { readonly method?: string; readonly params: Params }[] = [];
  let [id, sessionId] = [0, undefined as unknown];
  const message = (method: string, params: Params = {}) => JSON.stringify({ id: ++id, method, params });
  const toThread = (method: string, params?: Params) =>
    socket.send(message('NodeWorker.sendMessageToWorker', { sessionId, message: message(method, params) }));
  const receive = (text: string) => {
    const received = JSON.parse(text) as (typeof seen)[number];
    seen.push(received);
    if (received.method === 'NodeWorker.attachedToWorker') {
      sessionId = received.params['sessionId'];
      toThread('Debugger.enable');
    }
    if (received.method === 'NodeWorker.receivedMessageFromWorker')
      receive(received.params['message'] as string);
  };
  socket.addEventListener('message', ({ data }) => receive(data as string));
  await once(socket, 'open');
  socket.send(message('NodeWorker.enable', { waitForDebuggerOnStart: false }));
  return {
    toThread,
    close: () => socket.close(),
    /** The first message of this kind, which may come later. */
    async seen(method: string, holds: (params: Params) => boolean = () => true): Promise<Params> {
      const find = () => seen.find((one) => one.method === method && holds(one.params));
      await expect.poll(find).toBeTruthy();
      return find()?.params ?? {};
    },
  };
}

/** The place in the bundle of a function of the first line of a source that contains a text. */
function placeOf(id: string, source: string, text: string) {
  const lines = readFileSync(source, 'utf8').split('\n');
  const line = lines.findIndex((one) => one.includes(text));
  const map = new SourceMap(JSON.parse(readFileSync(`${bundleFile(id)}.map`, 'utf8')));
  const bundle = readFileSync(bundleFile(id), 'utf8').split('\n');
  for (const [lineNumber, code] of bundle.entries())
    for (let columnNumber = 0; columnNumber < code.length; columnNumber++) {
      const entry = map.findEntry(lineNumber, columnNumber);
      if ('originalLine' in entry && entry.originalLine === line && entry.originalSource.endsWith(source))
        return { lineNumber, columnNumber };
    }
  throw new Error(`${source} is not in the bundle of ${id}`);
}

test('a breakpoint in TypeScript stops the function that reaches it', async () => {
  const instance = await startInstance({
    data: await newFolder(),
    nodeArgs: ['--inspect=127.0.0.1:0'],
    args: ['--no-demo', '--memory'],
  });
  const [url] = /ws:\/\/\S+/.exec(instance.output()) ?? [];
  const inspector = await attach(url as string);
  const request = { base: instance.ready.url, token: noted(instance.ready.admin.token as string) };
  await get('/api/core/system/ping', request);

  const isPing = ({ url: file }: Params) => String(file).endsWith('system.ping/index.cjs');
  const { scriptId, sourceMapURL } = await inspector.seen('Debugger.scriptParsed', isPing);
  expect(sourceMapURL).toBe('index.cjs.map');
  const place = placeOf('system.ping', 'lib/system/ping.ts', 'username: caller.username');
  inspector.toThread('Debugger.setBreakpoint', { location: { scriptId, ...place } });
  const reply = get('/api/core/system/ping', request);
  await inspector.seen('Debugger.paused');
  inspector.toThread('Debugger.resume');
  expect((await reply).status).toBe(200);
  inspector.close();
});
