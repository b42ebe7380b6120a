import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { breakages } from '#infra/events/breakages';
import { type JsonSchema, schemaFiles, schemaOf } from '#infra/events/schemas';
import { EVENTS, exampleOf } from '#lib/event/events';
import { EVENT_TYPES } from '#lib/settings';
import { asText, SCHEMAS } from '../../../infra/docs.ts';

const ajv = formats.default(new Ajv2020());
const events = EVENTS.map((event) => [event.type, event] as const);

it('every kind of event that a setting can name has its schema', () => {
  expect(EVENTS.map(({ type }) => type)).toEqual([...EVENT_TYPES]);
});

describe.each(events)('%s', (_type, event) => {
  const schema = schemaOf(event);

  it('has a JSON Schema 2020-12 that its example satisfies', () => {
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    const validate = ajv.compile(schema);
    expect([validate(exampleOf(event)), validate.errors]).toEqual([true, null]);
    expect(schema['examples']).toEqual([exampleOf(event)]);
  });

  it('says what each field means, and that it is there', () => {
    const properties = Object.entries(schema.properties ?? {});
    expect(properties.filter(([, { description }]) => !description)).toEqual([]);
    expect(schema.required).toEqual(properties.map(([name]) => name));
    expect(Object.keys(exampleOf(event))).toEqual(properties.map(([name]) => name));
  });

  it('refuses an event that lacks a field or has another in its place', () => {
    const validate = ajv.compile(schema);
    for (const name of schema.required ?? []) {
      expect(validate({ ...exampleOf(event), [name]: undefined }), `without ${name}`).toBe(false);
      expect(validate({ ...exampleOf(event), [name]: { other: true } }), `another ${name}`).toBe(false);
    }
  });

  it('may have more fields later', () => {
    expect(ajv.compile(schema)({ ...exampleOf(event), more: 1 })).toBe(true);
  });
});

it('the published schemas are those of the events: "npm run docs" writes them', () => {
  for (const [name, schema] of schemaFiles())
    expect(readFileSync(join(SCHEMAS, name), 'utf8'), name).toBe(asText(schema));
});

it('no version that was published is taken away', () => {
  const types = EVENTS.map(({ type }) => type).join('|');
  expect(readdirSync(SCHEMAS).filter((name) => !new RegExp(`^(${types})-\\d+\\.json$`).test(name))).toEqual(
    [],
  );
  for (const { type, version } of EVENTS)
    for (let before = 1; before <= Number(version); before++)
      expect(readdirSync(SCHEMAS)).toContain(`${type}-${before}.json`);
});

describe('an event breaks its subscribers', () => {
  const before: JsonSchema = {
    type: 'object',
    description: 'An event',
    properties: {
      name: { type: 'string', description: 'A name' },
      teams: {
        type: 'array',
        items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      },
    },
    required: ['name', 'teams'],
  };
  const { name, teams } = before.properties as { name: JsonSchema; teams: JsonSchema };

  it.each<[string, JsonSchema, string[]]>([
    ['a field is gone', { ...before, properties: { teams } }, ['detail.name is gone']],
    [
      'a field need not be there',
      { ...before, required: ['teams'] },
      ['detail.name need not be there any more'],
    ],
    [
      'a field has another type',
      { ...before, properties: { teams, name: { type: 'integer' } } },
      ['detail.name has another type'],
    ],
    [
      'a field has a format less',
      { ...before, properties: { name, teams: { type: 'array' } } },
      ['detail.teams[] is gone'],
    ],
    [
      'a field in a list is gone',
      { ...before, properties: { name, teams: { ...teams, items: { type: 'object', required: ['id'] } } } },
      ['detail.teams[].id is gone'],
    ],
  ])('where %s', (_what, after, expected) => {
    expect(breakages(before, after)).toEqual(expected);
  });

  it.each<[string, JsonSchema]>([
    ['nothing changed', before],
    ['a field was added', { ...before, properties: { ...before.properties, more: { type: 'string' } } }],
    ['another field is always there', { ...before, required: ['name', 'teams', 'more'] }],
    [
      'the words are others',
      { ...before, description: 'Other', properties: { teams, name: { type: 'string' } } },
    ],
  ])('not where %s', (_what, after) => {
    expect(breakages(before, after)).toEqual([]);
  });
});
