import jsonBodyParser from '@middy/http-json-body-parser';
import type { Contract } from '../contract/contract.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { Failure, failing, invalid } from '../failure/failure.ts';
import { parseExactly, toPlainNumber } from '../input/exact-json.ts';
import { checkStrictJson } from '../input/strict-json.ts';
import { formToJson } from './form.ts';
import type { EndpointMiddleware } from './request.ts';

/** Maximum size of a body, by default. */
export const MAX_BODY_BYTES = 256 * 1024;
const JSON_TYPE = /^application\/([^\s;]+\+)?json\s*(;|$)/i;
const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i;

const [JSON_NAME, FORM_NAME] = ['application/json', 'application/x-www-form-urlencoded'];

const unsupported = (header: string, message: string) => failing('unsupported_media_type', header, message);

/** Whether a body is blank or an empty object. With `\s*` at both ends in place of `trim`, the pattern takes quadratic time. */
const isEmpty = (text: string) => /^(\{\s*\})?$/.test(text.trim());

/** Reads the body: checks its size and UTF-8, then parses JSON or a form, as the contract permits. */
export function body({
  bodyKind = 'json',
  maxBodyBytes = MAX_BODY_BYTES,
  repeatableFields = [],
}: Contract): EndpointMiddleware {
  // The parser knows no space before the parameters of a type.
  const { before: parseJson } = jsonBodyParser<GatewayEvent>({ disableContentTypeCheck: true });
  const form = bodyKind === 'json-or-form-or-none';
  const required = { json: 'A JSON body is required', form: 'A form is required' }[bodyKind as string];

  return {
    before: (request) => {
      const { event: context } = request;
      const { event } = context;
      const text = decode(event, maxBodyBytes);
      // An empty object needs no content type, as in requests whose contract has no body.
      if (text === undefined || (bodyKind === 'json-or-none' && isEmpty(text))) {
        if (required) throw invalid('body', required);
        context.body = form ? undefined : {};
        return;
      }
      const type = event.headers['content-type'] ?? '';
      checkCharset(type);
      if ((form || bodyKind === 'form') && FORM.test(type)) {
        context.body = formToJson(text, bodyKind === 'form' ? repeatableFields : undefined);
        return;
      }
      if (bodyKind === 'form') throw unsupported('content-type', `Must be ${FORM_NAME}`);
      if (!JSON_TYPE.test(type))
        throw unsupported('content-type', `Must be ${JSON_NAME}${form ? ` or ${FORM_NAME}` : ''}`);
      if (text.startsWith('\uFEFF')) throw invalid('body', 'Must not begin with a byte order mark');
      // First, because the parser reports a forbidden name as malformed.
      checkStrictJson(text);
      parseJson?.({ ...request, event: { ...event, body: text, isBase64Encoded: false } });
      // Parsed again, because the middleware does not give its reviver the source of numbers.
      context.body = form ? parseExactly(text) : toPlainNumber(parseExactly(text));
    },
  };
}

/** Refuses a body if the contract has none, as it would have no effect; an empty object is ignored. */
export const withoutBody = (): EndpointMiddleware => ({
  before: ({ event: { event } }) => {
    const { body: sent = '', isBase64Encoded } = event;
    const text = Buffer.from(sent, isBase64Encoded ? 'base64' : 'utf8').toString();
    if (!isEmpty(text)) throw invalid('body', 'This endpoint takes no body');
  },
});

/** Text must be UTF-8 (RFC 8259 section 8.1): other charsets are refused. */
function checkCharset(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) throw unsupported('content-type', 'Must be UTF-8');
}

function decode({ body, headers, isBase64Encoded }: GatewayEvent, maxBytes: number): string | undefined {
  if (body === undefined || body === '') return undefined;
  if (headers['content-encoding']) throw unsupported('content-encoding', 'Must be absent');
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxBytes) throw new Failure('payload_too_large');
  if (!isBase64Encoded) return body;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid('body', 'Must be UTF-8');
  }
}
