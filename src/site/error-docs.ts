import { ERROR_DOCS, errorText } from '#domain/error-docs.ts';
import { ERRORS, type ErrorCode } from '#domain/errors.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { errorBody } from '#http/errors/messages.ts';
import { codeBlock } from './code.ts';
import { type Html, html, withCode } from './html.ts';
import type { Language } from './language.ts';
import type { Page } from './page.ts';
import { TEXTS } from './text/site.ts';

/**
 * Returns the page that an error's `doc_url` links to: every code by status, with cause, remedy and an example. Pure.
 */
export function errorDocsPage(language: Language, siteUrl: string): Page {
  const texts = TEXTS[language];
  const groups = GROUPS[language];
  return {
    title: texts.errors,
    path: '/docs/errors',
    body: html`<h1>${texts.errors}</h1>
<p class="lead">${withCode(texts.errors_lead)}</p>
${exampleOf('unknown_parameter', siteUrl)}
<nav class="codes" aria-label="${texts.codes_by_status}">${groups.map(
      ({ status, title }) =>
        html`<details open><summary>${status} <span>${title}</span></summary><ul>${codesOf(status).map((code) => html`<li><a href="#${code}" dir="ltr">${code}</a></li>`)}</ul></details>`,
    )}</nav>
${groups.map((group) => section(group, language, siteUrl))}`,
  };
}

interface Group {
  status: number;
  title: string;
  advice: string;
}

const SAME_RESPONSE = 'Repeating the request returns the same response.';
const SAME_RESPONSE_AR = 'تكرار الطلب يعيد الاستجابة نفسها.';

const GROUPS: Readonly<Record<Language, readonly Group[]>> = {
  en: [
    { status: 400, title: 'Invalid request', advice: `${SAME_RESPONSE} Correct it first.` },
    { status: 401, title: 'Authentication', advice: `${SAME_RESPONSE} Check the key.` },
    { status: 403, title: 'Permission', advice: `${SAME_RESPONSE} The key, plan or account has to change.` },
    {
      status: 404,
      title: 'Not found',
      advice: 'Check the URL and the id. Ids of removed listings stay invalid.',
    },
    { status: 405, title: 'Method not allowed', advice: 'Use one of the methods in the `Allow` header.' },
    { status: 409, title: 'Conflict', advice: 'Change the request before you retry.' },
    {
      status: 429,
      title: 'Limits',
      advice: 'Retry after the number of seconds in the `Retry-After` header. Refused requests are not charged.',
    },
    {
      status: 500,
      title: 'Server',
      advice:
        'Retry with exponential backoff. A 503 has the seconds to wait in `Retry-After`. Failed requests are not charged.',
    },
  ],
  ar: [
    { status: 400, title: 'طلب غير صحيح', advice: `${SAME_RESPONSE_AR} صحّح الطلب أولًا.` },
    { status: 401, title: 'التحقق من المفتاح', advice: `${SAME_RESPONSE_AR} راجع المفتاح.` },
    { status: 403, title: 'الصلاحيات', advice: `${SAME_RESPONSE_AR} لا بد من تغيير المفتاح أو الباقة أو الحساب.` },
    {
      status: 404,
      title: 'غير موجود',
      advice: 'العنوان أو المعرّف لا يؤدي إلى شيء. معرّفات الإعلانات التي زالت لا تعود.',
    },
    { status: 405, title: 'طريقة غير مسموحة', advice: 'استعمل إحدى الطرق المذكورة في الترويسة `Allow`.' },
    { status: 409, title: 'تعارض', advice: 'غيّر الطلب قبل إعادة إرساله.' },
    {
      status: 429,
      title: 'الحدود',
      advice: 'أعد إرسال الطلب بعد عدد الثواني المذكور في `Retry-After`. الطلبات المرفوضة لا تُحتسب.',
    },
    {
      status: 500,
      title: 'الخادم',
      advice:
        'أعد الإرسال مع زيادة مدة الانتظار في كل مرة. تذكر الاستجابة 503 المدة في `Retry-After`. الطلبات الفاشلة لا تُحتسب.',
    },
  ],
};

const EXAMPLE_ID = 'req_5f0c1d6be9a24e7788b1c3d2';

/** Returns an example response body for an error code. */
function exampleOf(code: ErrorCode, siteUrl: string): Html {
  const error = new ApiError(code, ERROR_DOCS[code].example);
  return codeBlock(JSON.stringify(errorBody(error, EXAMPLE_ID, `${siteUrl}/docs/errors`), null, 2), 'json');
}

function codesOf(status: number): ErrorCode[] {
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].status === status);
}

function section({ status, title, advice }: Group, language: Language, siteUrl: string): Html {
  const codes = codesOf(status);
  const [first] = codes;
  const { error_cause, error_remedy, error_example } = TEXTS[language];
  const entries = codes.map((code) => {
    const { cause, remedy } = errorText(code, language);
    return html`<article id="${code}" class="code-entry"><h3 dir="ltr"><a href="#${code}">${code}</a></h3><p><strong>${error_cause}</strong>: ${withCode(cause)}</p><p><strong>${error_remedy}</strong>: ${withCode(remedy)}</p><details><summary>${error_example}</summary>${exampleOf(code, siteUrl)}</details></article>`;
  });
  return html`<section aria-labelledby="status-${status}"><h2 id="status-${status}">${status} ${title} <small dir="ltr">${first ? ERRORS[first].type : ''}</small></h2><p class="note">${withCode(advice)}</p>${entries}</section>`;
}
