import { expect, test } from 'vitest';
import { parts } from '#infra/local/parts';

/** Three parts, and a step between them; `log` has their starts and closes in order. */
function list(failing: { readonly start?: string; readonly close?: readonly string[] } = {}) {
  const log: string[] = [];
  const start = async (name: string) => {
    await new Promise(setImmediate);
    if (name === failing.start) throw new Error(`${name} does not start`);
    log.push(`start ${name}`);
    const close = async () => {
      await new Promise(setImmediate);
      log.push(`close ${name}`);
      if (failing.close?.includes(name)) throw new Error(`${name} does not close`);
    };
    return { name, close };
  };
  const all = parts<{ readonly prefix: string }>()
    .part('engine', ({ prefix }) => start(`${prefix}engine`))
    .part('unneeded', () => undefined)
    .part('bus', ({ engine }) => start(`bus on ${engine.name}`))
    .step('table', ({ bus }) => start(`table after ${bus.name}`))
    .part('gateway', ({ prefix }) => start(`${prefix}gateway`));
  return { log, start: () => all.start({ prefix: '' }) };
}

const STARTS = ['start engine', 'start bus on engine', 'start table after bus on engine', 'start gateway'];

test('parts start with those before them, and close in reverse when the instance stops', async () => {
  const { log, start } = list();
  const { started, close } = await start();
  expect(log).toEqual(STARTS);
  expect(started).toMatchObject({ prefix: '', unneeded: undefined, bus: { name: 'bus on engine' } });
  await close();
  expect(log.slice(STARTS.length)).toEqual(['close gateway', 'close bus on engine', 'close engine']);
});

test.each([
  ['engine', 0, []],
  ['bus on engine', 1, ['close engine']],
  ['table after bus on engine', 2, ['close bus on engine', 'close engine']],
  ['gateway', 3, ['close bus on engine', 'close engine']],
])('parts that have started close in reverse when %s does not start', async (name, started, closed) => {
  const { log, start } = list({ start: name, close: ['bus on engine'] });
  await expect(start()).rejects.toThrow(new Error(`${name} does not start`));
  expect(log).toEqual([...STARTS.slice(0, started), ...closed]);
});

test('parts close although one after them does not, and the error reports it', async () => {
  const { log, start } = list({ close: ['gateway'] });
  const { close } = await start();
  await expect(close()).rejects.toThrow('gateway does not close');
  expect(log.slice(STARTS.length)).toEqual(['close gateway', 'close bus on engine', 'close engine']);
});
