import { ERRORS, type ErrorCode } from '#domain/errors.ts';
import { MESSAGES } from '#http/errors.ts';
import { escapeText } from './html.ts';

/** The page that `doc_url` of an error links to: every code by status, with its meaning and what to do. Pure. */
export function errorDocsPage(serviceName: string): string {
  const name = escapeText(serviceName);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors &middot; ${name}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p class="service">${name}</p>
<h1>Errors</h1>
<p>Every error has the same body. Branch on <code>code</code>: codes are never renamed, and new ones may be added.
<code>message</code> is for people and may change. Quote <code>request_id</code>, which the <code>X-Request-Id</code>
header repeats, when you ask for help.</p>
<pre>${escapeText(EXAMPLE)}</pre>
</header>
<nav aria-label="Codes by status">${GROUPS.map(navigation).join('')}</nav>
<main>${GROUPS.map(section).join('')}</main>
</body>
</html>`;
}

interface Group {
  status: number;
  title: string;
  advice: string;
}

const GROUPS: readonly Group[] = [
  {
    status: 400,
    title: 'Invalid request',
    advice: 'Sending the same request again gives the same answer. Correct it first.',
  },
  {
    status: 401,
    title: 'Authentication',
    advice: 'Sending the same request again gives the same answer. Check the key.',
  },
  {
    status: 403,
    title: 'Permission',
    advice: 'Sending the same request again gives the same answer. The key, plan or account has to change.',
  },
  {
    status: 404,
    title: 'Not found',
    advice: 'The address or the id leads nowhere. Ids of listings that are gone stay gone.',
  },
  { status: 405, title: 'Method not allowed', advice: 'Use one of the methods in the <code>Allow</code> header.' },
  { status: 409, title: 'Conflict', advice: 'Change the request before sending it again.' },
  {
    status: 429,
    title: 'Limits',
    advice: 'Send it again after the seconds in <code>Retry-After</code>. Refused requests are not charged.',
  },
  {
    status: 500,
    title: 'Server',
    advice:
      'Send it again, waiting longer each time. A 503 says in <code>Retry-After</code> how long. Failed requests are not charged.',
  },
];

const EXAMPLE = JSON.stringify(
  {
    error: {
      type: 'invalid_request',
      code: 'unknown_parameter',
      message: 'This endpoint has no parameter `bed`. Did you mean `beds`?',
      param: 'bed',
      request_id: 'req_5f0c1d6be9a24e7788b1c3d2',
      doc_url: '.../docs/errors#unknown_parameter',
    },
  },
  null,
  2,
);

function codesOf(status: number): ErrorCode[] {
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].status === status);
}

function navigation({ status, title }: Group): string {
  const links = codesOf(status).map((code) => `<li><a href="#${code}">${code}</a></li>`);
  return `<details open><summary><span class="status s${status}">${status}</span>${title}</summary><ul>${links.join('')}</ul></details>`;
}

function section({ status, title, advice }: Group): string {
  const codes = codesOf(status);
  const [first] = codes;
  const type = first ? ERRORS[first].type : '';
  const entries = codes.map(
    (code) =>
      `<article id="${code}"><h3><a href="#${code}">${code}</a></h3><p>${withCode(MESSAGES[code])}</p></article>`,
  );
  return `<section aria-labelledby="status-${status}"><h2 id="status-${status}"><span class="status s${status}">${status}</span>${title}<small>type <code>${type}</code></small></h2><p class="advice">${advice}</p>${entries.join('')}</section>`;
}

/** Marks text between backticks as code. */
const withCode = (text: string): string => escapeText(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const STYLE = `
:root{--ink:#1d2433;--soft:#5b6475;--line:#e3e6ec;--ground:#fff;--panel:#f6f7f9;--link:#1f5fbf;--mark:#fff6d8;
--c4:#8a5a00;--c4b:#fdf1d8;--c9:#6b3fa0;--c9b:#f1e9fb;--c5:#a3262a;--c5b:#fce8e8}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ef;--soft:#9aa4b5;--line:#2c3442;--ground:#141922;--panel:#1c2330;--link:#7fb0ff;--mark:#3a3415;
--c4:#f2c469;--c4b:#3b2f14;--c9:#c9a8f5;--c9b:#2f2342;--c5:#ff9a9a;--c5b:#421d1f}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:68rem;padding:2.5rem 1.5rem 6rem;font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
color:var(--ink);background:var(--ground);display:grid;grid-template-columns:15rem minmax(0,1fr);column-gap:3rem}
header{grid-column:1/-1;max-width:46rem}
.service{margin:0;color:var(--soft);font-size:.9rem}
h1{margin:.1rem 0 .8rem;font-size:2.2rem;line-height:1.2;letter-spacing:-.02em}
code,pre,h3{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
code{white-space:nowrap;font-size:.88em;background:var(--panel);border-radius:4px;padding:.1em .3em}
pre{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:1rem 1.2rem;overflow-x:auto;font-size:.82rem;line-height:1.55}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
nav{position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow-y:auto;scrollbar-width:thin;font-size:.82rem;padding-top:1.6rem}
summary{cursor:pointer;font-weight:600;list-style:none;padding:.15rem 0}summary::-webkit-details-marker{display:none}
nav ul{list-style:none;margin:.2rem 0 .8rem;padding:0 0 0 .4rem}nav li{padding:.08rem 0;overflow-wrap:anywhere}
nav a{color:var(--soft)}
.status{display:inline-block;font:600 .75rem/1 ui-monospace,Menlo,Consolas,monospace;padding:.3em .5em;border-radius:5px;margin-right:.6em;vertical-align:.12em;
color:var(--c4);background:var(--c4b)}
.s429,.s409{color:var(--c9);background:var(--c9b)}.s500{color:var(--c5);background:var(--c5b)}
h2{margin:2.4rem 0 .2rem;font-size:1.25rem;display:flex;flex-wrap:wrap;align-items:baseline}
h2 small{margin-left:auto;font-weight:400;font-size:.82rem;color:var(--soft)}
.advice{margin:.2rem 0 .8rem;color:var(--soft)}
article{padding:.9rem 1rem;border-top:1px solid var(--line);scroll-margin-top:1rem}
article p{margin:.15rem 0 0}
h3{margin:0;font-size:.98rem;font-weight:600}h3 a{color:inherit}
article:target{background:var(--mark);border-radius:8px}
@media(max-width:48rem){body{display:block;padding:1.5rem 1rem 4rem}nav{display:none}h2 small{margin-left:0;width:100%}}
`;
