import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { breakages } from '#infra/events/breakages';
import { type JsonSchema, schemaFiles, schemaOf } from '#infra/events/schemas';
import { ALL_EVENTS, exampleOf } from '#lib/event/events';
import { SUBJECT_FIELDS } from '#lib/event/subjects';
import { asText, SCHEMAS } from '../../../infra/docs.ts';
import { STALE } from '../../stale.ts';

const ajv = formats.default(new Ajv2020());

describe.each(ALL_EVENTS.map((event) => [event.type, event] as const))('the schema of %s', (_type, event) => {
  const schema = schemaOf(event);
  const example = exampleOf(event);
  const validate = ajv.compile(schema);

  it('is JSON Schema 2020-12 and accepts its example, also with further fields', () => {
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect([validate(example), validate.errors]).toEqual([true, null]);
    expect(validate({ ...example, more: 1 })).toBe(true);
    expect(schema['examples']).toEqual([example]);
  });

  it('describes each field and requires all except those that the event may lack', () => {
    const properties = Object.entries(schema.properties ?? {});
    expect(properties.filter(([, { description }]) => !description)).toEqual([]);
    const names = properties.map(([name]) => name);
    expect(Object.keys(example)).toEqual(names);
    const fields = { ...SUBJECT_FIELDS[event.subject](), ...event.own() };
    const mayLack = Object.entries(fields).filter(([, field]) => z.safeParse(field, undefined).success);
    const optional = names.filter((name) => !schema.required?.includes(name));
    expect(optional).toEqual(mayLack.map(([name]) => name));
  });

  it('rejects an event without a field, or with another type', () => {
    for (const name of schema.required ?? [])
      for (const value of [undefined, { other: true }])
        expect(validate({ ...example, [name]: value }), `${name}: ${value}`).toBe(false);
  });
});

it('the published schemas are those of the present events', () => {
  for (const [name, schema] of schemaFiles()) {
    const path = join(SCHEMAS, name);
    const published = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    expect(published, `${name}: ${STALE.docs}`).toBe(asText(schema));
  }
});

it('each published version of an event stays published', () => {
  const versions = ALL_EVENTS.flatMap(({ type, version }) =>
    Array.from({ length: Number(version) }, (_, before) => `${type}-${before + 1}.json`),
  );
  expect(readdirSync(SCHEMAS).sort(), STALE.docs).toEqual(versions.sort());
});

const id = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
const name: JsonSchema = { type: 'string', description: 'A name' };
const teams: JsonSchema = { type: 'array', items: id };
const before: JsonSchema = {
  type: 'object',
  description: 'An event',
  properties: { name, teams },
  required: ['name', 'teams'],
};
const withFields = (properties: Record<string, JsonSchema>) => ({ ...before, properties });
const emptyItems = { ...teams, items: { type: 'object', required: ['id'] } };
const renamed = { ...withFields({ teams, name: { type: 'string' } }), description: 'Other' };

it.each<[string, JsonSchema, string[]]>([
  ['no field is there', withFields({ teams }), ['detail.name was removed']],
  ['a field is optional', { ...before, required: ['teams'] }, ['detail.name is no longer required']],
  ['a type differs', withFields({ teams, name: { type: 'integer' } }), ['detail.name has a different type']],
  ['a list has no items', withFields({ name, teams: { type: 'array' } }), ['detail.teams[] was removed']],
  ['a field in a list is gone', withFields({ name, teams: emptyItems }), ['detail.teams[].id was removed']],
  ['nothing differs', before, []],
  ['a field is added', withFields({ name, teams, more: { type: 'string' } }), []],
  ['a further field is required', { ...before, required: ['name', 'teams', 'more'] }, []],
  ['descriptions differ', renamed, []],
])('a schema breaks its subscribers as reported when %s', (_what, after, expected) => {
  expect(breakages(before, after)).toEqual(expected);
});
