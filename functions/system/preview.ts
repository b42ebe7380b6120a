import { endpoint } from '#lib/handler/endpoint';
import { preview } from '#lib/system/contracts';
import { previewOf } from '#lib/system/preview';

/** Renders Markdown as sanitised HTML. */
export const handler = endpoint(preview, ({ body, event }) => previewOf(body.painput, event.headers));
