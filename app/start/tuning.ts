import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '#domain/message-of.ts';
import { Html, html } from '#src/documents/html.ts';
import type { Services } from '#src/services.ts';
import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { diffRelevance, type RelevanceDiff } from '#stores/opensearch/relevance/diff.ts';
import { HITS, type Trial, type TrialInput, type TrialResults, tryQuery } from '#stores/opensearch/relevance/trial.ts';
import { readVersion, WORKING_TREE } from '#stores/opensearch/relevance/versions.ts';
import { hasFolder } from './repository.ts';

/** Maximum characters of a query, as in searches, and of an edited line. */
const MAX_QUERY = 300;
const MAX_LINE = 500;
/** Longest commit or name of one, in characters. */
const MAX_VERSION = 100;

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; color: #1b1b1b }
h2 { margin-top: 2rem }
table { border-collapse: collapse } td, th { border: 1px solid #ccc; padding: .25rem .6rem; text-align: start }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end } label { display: grid }
input[name=q], input[name=edit] { width: 30rem; max-width: 90vw; font: inherit }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1.5rem }
.only { background: #fff3c4 } .error { color: #a40000 } pre { background: #f4f4f4; padding: .5rem; overflow: auto }
`;

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

type Source = Pick<Services, 'opensearch' | 'logger'>;

/** A page on which search engineers try queries and synonyms. It changes nothing. */
export function serveTuning(request: IncomingMessage, response: ServerResponse, services: Source): void {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  tuningPage(services, searchParams).then(
    (page) => response.writeHead(200, HEADERS).end(page),
    (error: unknown) => {
      services.logger.error({ err: error }, 'tuning page not rendered');
      response.writeHead(500).end();
    },
  );
}

async function tuningPage({ opensearch }: Source, parameters: URLSearchParams): Promise<string> {
  const input = readInput(parameters);
  const against = (parameters.get('against') ?? '').slice(0, MAX_VERSION).trim();
  let body: Html = html``;
  try {
    if (input.q !== '') body = trialOf(await tryQuery(opensearch, input), input);
    else if (against !== '') body = diffOf(await compareWith(opensearch, against));
  } catch (error) {
    body = html`<p class="error">${messageOf(error)}</p>`;
  }
  return `<!doctype html>${documentOf(input, against, body).markup}`;
}

let isComparing = false;

/** Compares the files on disk. @throws Error while another comparison runs, because each loads two indexes */
async function compareWith(opensearch: OpenSearch, version: string): Promise<RelevanceDiff> {
  if (isComparing) throw new Error('Another comparison runs. Load the page again when it is done.');
  isComparing = true;
  try {
    const versions = [await readVersion(opensearch, version), await readVersion(opensearch, WORKING_TREE)] as const;
    return await diffRelevance(opensearch, versions, { ads: [], queries: [] });
  } finally {
    isComparing = false;
  }
}

/** What the version before finds, and what the files on disk find. */
function diffOf({ before, after, sets, changed }: RelevanceDiff): Html {
  const column = (title: string, change: 'lost' | 'gained'): Html =>
    html`<section><h3>${title}</h3><ol>${changed
      .filter((each) => each.change === change)
      .map(
        ({ query, text, expected, tokens, lines }) =>
          html`<li class="${expected === (change === 'gained') ? 'both' : 'only'}"><bdi>${query}</bdi>: <bdi>${text}</bdi> (<bdi>${tokens.join(', ')}</bdi>)<br><small dir="auto">${lines.join('; ')}</small></li>`,
      )}</ol></section>`;
  return html`<h2>Pairs and cases</h2>${sets.map(
    ({ set, total, before: earlier, after: now }) => html`<p>${set}: ${earlier} → ${now} of ${total} right</p>`,
  )}<p>Wrong changes are marked.</p><div class="columns">${column(`found only by ${before}`, 'lost')}${column(`found only by ${after}`, 'gained')}</div>`;
}

function readInput(parameters: URLSearchParams): TrialInput {
  const text = (name: string, most: number): string => (parameters.get(name) ?? '').slice(0, most).trim();
  const line = /^\d{1,5}$/.exec(parameters.get('line') ?? '')?.[0];
  const edit = text('edit', MAX_LINE).replaceAll(/[\r\n#]/g, ' ');
  return {
    q: text('q', MAX_QUERY),
    line: line === undefined || edit === '' ? null : Number(line),
    edit,
  };
}

function trialOf(trial: Trial, input: TrialInput): Html {
  return html`
    ${tokensOf(trial.analysis)}
    ${synonymsOf(trial, input)}
    <h2>Results</h2>
    <p>The first ${HITS} listings by id. Listings that the first column lacks, or that only it has, are marked.</p>
    <div class="columns">${trial.columns.map((column) => columnOf(column, trial.columns))}</div>`;
}

function documentOf({ q, line, edit }: TrialInput, against: string, body: Html): Html {
  return html`<html lang="en"><head><meta charset="utf-8"><title>Text search</title>
<meta name="viewport" content="width=device-width"><style>${styleBlock}</style></head><body>
<h1>Text search</h1>
<form method="get" action="/tuning">
<label>Query<input name="q" dir="auto" maxlength="${MAX_QUERY}" value="${q}" required></label>
<label>Line of synonyms.txt (0 for a new one)<input name="line" inputmode="numeric" value="${line ?? ''}"></label>
<label>Edited line<input name="edit" dir="auto" maxlength="${MAX_LINE}" value="${edit}"></label>
<button>Show</button></form>
${
  hasFolder('index-templates/relevance') &&
  html`<form method="get" action="/tuning">
<label>Compare the files with a commit, or with serving<input name="against" maxlength="${MAX_VERSION}" value="${against}" required></label>
<button>Compare</button></form>`
}
${body}</body></html>`;
}

/** Escaping would change its digest in the content security policy. */
const styleBlock = new Html(STYLE);

function tokensOf({ folded, tokens, query }: Trial['analysis']): Html {
  const notes = new Map(
    query.map(({ word, negated, oneEdit }) => [
      word,
      [...(negated ? ['stated as absent'] : []), ...(oneEdit ? ['or within one edit'] : [])].join('; '),
    ]),
  );
  return html`<h2>Tokens</h2><p>Folded: <bdi>${folded}</bdi></p>
<table><tr><th>Word</th><th>Token</th><th>Why</th><th>In a query</th></tr>${tokens.map(
    ({ word, token, why }) =>
      html`<tr><td dir="auto">${word}</td><td dir="auto">${token ?? '–'}</td><td>${why.join('; ')}</td><td>${notes.get(word.toLowerCase()) ?? ''}</td></tr>`,
  )}</table>`;
}

function synonymsOf({ analysis: { query }, lines, replaces }: Trial, input: TrialInput): Html {
  const spellings = query.flatMap(({ expansions }) => expansions.filter(({ line }) => line === null));
  const commit =
    input.line === null
      ? html``
      : html`<h2>Line to commit</h2><p>Nothing is saved. In <code>index-templates/synonyms.txt</code>, ${
          replaces ? `line ${input.line} becomes` : 'add'
        }:</p><pre dir="auto">${input.edit}</pre>`;
  return html`<h2>Synonyms and spellings</h2>
<table><tr><th>Line</th><th>Terms</th></tr>${lines.map(({ number, text }) => html`<tr><td>${number}</td><td dir="auto">${text}</td></tr>`)}${spellings.map(
    ({ words, terms }) => html`<tr><td>spelling</td><td dir="auto">${words} = ${terms.join(', ')}</td></tr>`,
  )}</table>${commit}`;
}

function columnOf(column: TrialResults, columns: readonly TrialResults[]): Html {
  const [first = column] = columns;
  const idsOf = ({ hits }: TrialResults): Set<string> => new Set(hits.map(({ id }) => id));
  const others = column === first ? columns.slice(1).map(idsOf) : [idsOf(first)];
  return html`<section><h3>${column.title}</h3><p>${column.error ?? `${column.total} listings`}</p><ol>${column.hits.map(
    ({ id, title }) =>
      html`<li class="${others.every((ids) => ids.has(id)) ? 'both' : 'only'}" dir="auto">${id}: ${title}</li>`,
  )}</ol></section>`;
}
