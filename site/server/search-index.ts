import { ERROR_CODES, ERRORS } from '#domain/errors.ts';
import { GUIDE_TEXTS, SERVICE_TEXTS, TEXTS } from '#site/text/index.ts';
import { LANGUAGES, type Language, pathIn } from '#src/documents/language.ts';
import type { Json } from '#src/openapi/schemas.ts';
import { operationsOf } from './operations.ts';
import { textOf } from './page.ts';
import { type SearchEntry, searchWords } from './search-words.ts';

export interface Topic {
  /** Equal for both languages. */
  id: string;
  title: string;
  context: string;
  path: string;
  text: string;
  /** Words of which the topic is the answer. */
  keywords?: string;
}

/** In both languages. */
const KEYWORDS: Readonly<Record<string, string>> = {
  '/pricing':
    'price prices cost costs fee charge plan plans pay payment bill billing subscription month monthly سعر أسعار تكلفة رسوم باقة دفع فوترة فاتورة اشتراك شهر',
  '/pricing#key':
    'api key token get account register signup sign up contact sales email phone مفتاح حساب تسجيل تواصل بريد هاتف جوال',
  '/status': 'uptime availability outage down incident sla توفر انقطاع عطل',
  '/guides/sdks': 'php java kotlin go ruby csharp swift rust python typescript javascript client library install',
};

/** The words of a topic include those of its title in the other language. Pure. */
export function searchIndexes(
  guides: Readonly<Record<Language, readonly Topic[]>>,
  openApi: Readonly<Record<Language, Json>>,
): Readonly<Record<Language, string>> {
  const topics = (language: Language): Topic[] => [
    ...guides[language],
    ...pageTopics(language),
    ...operationTopics(openApi[language]),
    ...errorTopics(language),
  ];
  const all = { en: topics('en'), ar: topics('ar') };
  const titles = new Map<string, string>();
  for (const language of LANGUAGES)
    for (const { id, title, context } of all[language]) titles.set(id, `${titles.get(id) ?? ''} ${title} ${context}`);
  const indexOf = (language: Language): string =>
    JSON.stringify(
      all[language].map(({ id, title, context, path, text, keywords = KEYWORDS[path] ?? '' }): SearchEntry => {
        const words = new Set(searchWords(`${titles.get(id)} ${text}`));
        return [title, context, pathIn(language, path), [...words].join(' '), searchWords(keywords).join(' ')];
      }),
    );
  return { en: indexOf('en'), ar: indexOf('ar') };
}

/** Splits a rendered guide into its introduction and the sections below its headings. Pure. */
export function topicsOf(guide: { title: string; context: string; path: string; markup: string }): Topic[] {
  const [introduction = '', ...parts] = guide.markup.split(/<h[23] id="([^"]*)"><a[^>]*>(.*?)<\/a><\/h[23]>/s);
  const topics: Topic[] = [
    { id: guide.path, title: guide.title, context: guide.context, path: guide.path, text: textOf(introduction, ' ') },
  ];
  for (let at = 0; at < parts.length; at += 3) {
    const [anchor = '', heading = '', markup = ''] = parts.slice(at, at + 3);
    topics.push({
      id: `${guide.path} ${at}`,
      title: textOf(heading),
      context: guide.title,
      path: `${guide.path}#${anchor}`,
      text: textOf(markup, ' '),
    });
  }
  return topics;
}

function pageTopics(language: Language): Topic[] {
  const texts = SERVICE_TEXTS[language];
  const context = GUIDE_TEXTS[language].sections.account;
  const topic = (path: string, title: string, text: string): Topic => ({ id: path, title, context, path, text });
  return [
    topic('/pricing', texts.pricing, `${texts.pricing_lead} ${texts.calculator}`),
    topic('/pricing#key', texts.get_key, texts.get_key_text),
    ...(['coverage', 'accuracy', 'status'] as const).map((page) =>
      topic(`/${page}`, texts[page], texts[`${page}_lead`]),
    ),
  ];
}

const operationTopics = (openApi: Json): Topic[] =>
  operationsOf(openApi).map(({ operationId, summary, description, method, path, slug, parameters, requestBody }) => {
    const fields = Object.keys(requestBody?.content['application/json'].schema.properties ?? {});
    return {
      id: operationId,
      title: summary,
      context: `${method} ${path}`,
      path: `/reference/${slug}`,
      text: [operationId, description, ...parameters.map(({ name }) => name), ...fields].join(' '),
    };
  });

function errorTopics(language: Language): Topic[] {
  return ERROR_CODES.map((code) => {
    const { cause, remedy } = ERRORS[code][language];
    const path = `/docs/errors#${code}`;
    return {
      id: path,
      title: code,
      context: TEXTS[language].errors,
      path,
      text: `${cause} ${remedy}`,
      keywords: `${ERRORS[code].status} error خطأ`,
    };
  });
}
