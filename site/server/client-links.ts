import type { Download } from '#domain/process/downloads.ts';
import { CHECKSUMS } from '#domain/process/downloads.ts';
import { GUIDE_TEXTS, TEXTS } from '#site/text/index.ts';
import { type Html, html } from '#src/documents/html.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import type { Site } from './page.ts';

type Downloaded = Pick<Site, 'config' | 'downloads'>;

/** Programs that install a client from a URL, with what they require. */
const INSTALLERS = {
  typescript: { command: 'npm install', requires: 'Node 20' },
  python: { command: 'pip install', requires: 'Python 3.11' },
} as const;

/** Returns Markdown: the commands that install the clients of this installation, and the checksums of their files. Pure. */
export function installMarkdown({ config, downloads }: Downloaded, language: Language): string {
  const texts = GUIDE_TEXTS[language];
  const url = (file: string): string => `${config.siteUrl}/downloads/${file}`;
  const row = ({ file, sha256 }: Download, requires = ''): string =>
    `| [\`${file}\`](${url(file)}) | ${requires} | \`${sha256}\` |`;
  const commands = downloads.clients.map(
    (name) => `\`\`\`sh\n${INSTALLERS[name].command} ${url(downloads[name]?.file ?? '')}\n\`\`\``,
  );
  const rows = [
    ...downloads.clients.flatMap((name) =>
      downloads[name] ? row(downloads[name], `\`${INSTALLERS[name].requires}\``) : [],
    ),
    ...(downloads.postman ? [row(downloads.postman, 'Postman')] : []),
  ];
  const table = [`| ${texts.file} | ${texts.requires} | SHA-256 |`, '|---|---|---|', ...rows].join('\n');
  const sums = texts.checksums.replace('{file}', `[\`${CHECKSUMS}\`](${url(CHECKSUMS)})`);
  return [...commands, table, sums, ...(downloads.python ? [] : [texts.no_python])].join('\n\n');
}

/** Links to the files of the clients, and to the guide; null if there are none. Pure. */
export function clientLinks({ downloads }: Pick<Site, 'downloads'>, language: Language): Html | null {
  const { typescript, python } = downloads;
  const files = [
    ['TypeScript', typescript],
    ['Python', python],
  ] as const;
  const links = files.map(([name, download]) =>
    download ? html`<a href="/downloads/${download.file}">${name}</a> · ` : null,
  );
  if (downloads.clients.length === 0) return null;
  const texts = TEXTS[language];
  return html`<p class="note">${texts.clients}: ${links}<a href="${pathIn(language, '/guides/sdks')}">${texts.install_client}</a></p>`;
}
