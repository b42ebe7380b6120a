import { randomUUID } from 'node:crypto';

/** What the schemas of a client are cut down to, and handed to its protocol as. */
export interface Service {
  /** Errors that the code asks for by their class. */
  readonly errors: readonly ErrorClass[];
  /** The class of all others. */
  readonly base: ErrorClass;
  /** By operation, the member that keeps it from being carried out twice. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Whether its messages hold times: in seconds since the epoch, under names that end in `Date` or are `Time`. */
  readonly hasTimes: boolean;
}

interface ErrorClass {
  readonly shapeId: string;
  new (options: object): Error;
}

interface Settings {
  /** Before the name of an operation, in the header that names it. */
  readonly serviceTarget: string;
  /** By the name that the SDK hands it on with. */
  readonly errorTypeRegistries: Service;
}

interface Operation {
  readonly name: string;
}

interface Sending {
  readonly endpoint: () => Promise<object>;
}

interface Collecting {
  readonly streamCollector: (stream: unknown) => Promise<Uint8Array>;
}

interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

/** Members of an error that tell what it is. */
interface Refusal {
  readonly __type?: string;
  readonly code?: string;
  readonly message?: string;
  readonly Message?: string;
}

/**
 * Takes the place of the SDK's protocol, which reads and writes messages by the schema of each operation, byte by byte
 * in JavaScript: these are JSON as they are. Binary values are not in them.
 *
 * @param version of the protocol: 1.0 or 1.1
 * @param Request of the SDK
 * @param decorate adds to an error what else an answer says of it; the SDK's
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
 */
export const awsJson = (
  version: string,
  Request: new (options: object) => object,
  decorate: (error: Error, additions: object) => Error,
) =>
  class {
    readonly #target: string;
    readonly #service: Service;

    constructor({ serviceTarget, errorTypeRegistries }: Settings) {
      this.#target = serviceTarget;
      this.#service = errorTypeRegistries;
    }

    setSerdeContext() {}

    async serializeRequest({ name }: Operation, input: object, { endpoint }: Sending) {
      const { tokens, hasTimes } = this.#service;
      const token = tokens[name];
      const message = token ? { [token]: randomUUID(), ...input } : input;
      return new Request({
        path: '/',
        ...(await endpoint()),
        method: 'POST',
        headers: {
          'content-type': `application/x-amz-json-${version}`,
          'x-amz-target': `${this.#target}.${name}`,
        },
        body: JSON.stringify(message, hasTimes ? writeTime : undefined),
      });
    }

    async deserializeResponse(_: Operation, { streamCollector }: Collecting, answer: Answer) {
      const { statusCode, headers, body } = answer;
      const { buffer, byteOffset, byteLength } = await streamCollector(body);
      const text = Buffer.from(buffer, byteOffset, byteLength).toString();
      const read = this.#service.hasTimes ? readTime : undefined;
      const data: object = text === '' ? {} : (JSON.parse(text, read) ?? {});
      const $metadata = { httpStatusCode: statusCode, requestId: headers['x-amzn-requestid'] };
      if (statusCode < 300) return { ...data, $metadata };
      throw this.#errorOf(data, answer, $metadata);
    }

    #errorOf(data: Refusal, { statusCode, headers }: Answer, $metadata: object) {
      const { errors, base } = this.#service;
      // A proxy may tell a number.
      const said: unknown = data.__type ?? data.code ?? headers['x-amzn-errortype'] ?? 'Unknown';
      const name = String(said)
        .replace(/[,:].*$/, '')
        .replace(/^.*#/, '');
      const Own = errors.find(({ shapeId }) => shapeId.endsWith(`#${name}`)) ?? base;
      return decorate(
        new Own({
          name,
          message: data.message ?? data.Message ?? 'UnknownError',
          $fault: statusCode < 500 ? 'client' : 'server',
          $metadata,
        }),
        data,
      );
    }
  };

/** A date is a text before a function like this is handed it. */
function writeTime(this: Readonly<Record<string, unknown>>, key: string, value: unknown) {
  const given = this[key];
  return given instanceof Date ? given.getTime() / 1000 : value;
}

const readTime = (key: string, value: unknown) =>
  typeof value === 'number' && /Date$|^Time$/.test(key) ? new Date(value * 1000) : value;
