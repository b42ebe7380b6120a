import { endpoint } from '#lib/handler/endpoint';
import { contract } from '#lib/system/preview.contract';

/** Renders Markdown as sanitised HTML. The first request sets up the parser: a tenth of the time of a start. */
export const handler = endpoint(contract, async ({ body, event }) => {
  const { previewOf } = await import('#lib/system/preview');
  return previewOf(body.painput, event.headers);
});
