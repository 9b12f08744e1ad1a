import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import type { HttpContext } from '../context.ts';
import { ApiError } from '../errors/api-error.ts';

/** More than the fields of any form of the site need. */
const MAX_FORM_BYTES = 16 * 1024;

const parse = koaBody({ json: false, multipart: false, urlencoded: false, text: true, textLimit: MAX_FORM_BYTES });

/** Reads the fields of a form. @throws ApiError invalid_body */
export async function readForm(context: HttpContext): Promise<URLSearchParams> {
  if (!context.is('application/x-www-form-urlencoded'))
    throw new ApiError('invalid_body', { message: 'Send the form as application/x-www-form-urlencoded.' });
  // The parser of forms nests names with brackets. Text is read as it is.
  context.req.headers['content-type'] = 'text/plain; charset=utf-8';
  try {
    await parse(context as Context, async () => {});
  } catch {
    throw new ApiError('invalid_body', { message: `The form is incomplete, or larger than ${MAX_FORM_BYTES} bytes.` });
  }
  const { body } = context.request as unknown as { body: unknown };
  return new URLSearchParams(typeof body === 'string' ? body : '');
}
