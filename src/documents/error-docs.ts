import { ERROR_CODES, ERRORS, type ErrorCode, errorType } from '#domain/errors.ts';
import { ApiError, errorBody } from '#src/http/errors/api-error.ts';
import { codeBlock } from './code.ts';
import { type Html, html, section, withCode } from './html.ts';
import type { Language } from './language.ts';
import type { DocumentPage } from './plain-page.ts';
import { DOCUMENT_TEXTS, STATUS_TEXTS } from './text/document-texts.ts';

/** An error's `doc_url` links to this page. */
export function errorDocsPage(language: Language, siteUrl: string): DocumentPage {
  const texts = DOCUMENT_TEXTS[language];
  const statuses = Object.entries(STATUS_TEXTS[language]).map(([status, about]) => ({
    ...about,
    status: Number(status),
  }));
  const menu = statuses.map(({ status, title }) => {
    const links = codesOf(status).map((code) => html`<li><a href="#${code}" dir="ltr">${code}</a></li>`);
    return html`<details open><summary>${status} <span>${title}</span></summary><ul>${links}</ul></details>`;
  });
  const sections = statuses.map(({ status, title, advice }) => {
    const codes = codesOf(status);
    const heading = html`${status} ${title} <small dir="ltr">${codes[0] ? errorType(codes[0]) : ''}</small>`;
    const entries = codes.map((code) => entryOf(code, language, siteUrl));
    return section(`status-${status}`, heading, html`<p class="note">${withCode(advice)}</p>`, entries);
  });
  return {
    title: texts.errors,
    path: '/docs/errors',
    body: html`<h1>${texts.errors}</h1>
<p class="lead">${withCode(texts.errors_lead)}</p>
${exampleOf('unknown_parameter', siteUrl)}
<nav class="codes" aria-label="${texts.codes_by_status}">${menu}</nav>
${sections}`,
  };
}

const EXAMPLE_ID = 'req_5f0c1d6be9a24e7788b1c3d2';

function exampleOf(code: ErrorCode, siteUrl: string): Html {
  const error = new ApiError(code, ERRORS[code].example);
  return codeBlock(JSON.stringify(errorBody(error, EXAMPLE_ID, `${siteUrl}/docs/errors`), null, 2), 'json');
}

const codesOf = (status: number): ErrorCode[] => ERROR_CODES.filter((code) => ERRORS[code].status === status);

function entryOf(code: ErrorCode, language: Language, siteUrl: string): Html {
  const { error_cause, error_remedy, error_example } = DOCUMENT_TEXTS[language];
  const { cause, remedy } = ERRORS[code][language];
  return html`<article id="${code}" class="code-entry"><h3 dir="ltr"><a href="#${code}">${code}</a></h3><p><strong>${error_cause}</strong>: ${withCode(cause)}</p><p><strong>${error_remedy}</strong>: ${withCode(remedy)}</p><details><summary>${error_example}</summary>${exampleOf(code, siteUrl)}</details></article>`;
}
