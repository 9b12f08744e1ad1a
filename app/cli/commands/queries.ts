import type { Command } from 'commander';
import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { QUERY_DAYS } from '#src/observability/query-log.ts';
import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { searchListings } from '#stores/opensearch/relevance/between.ts';
import { readQueryLog } from '#stores/postgres/query-log.ts';
import { act } from '../command.ts';
import { withDatabase, withEngine } from '../connect.ts';
import { type OutputOptions, printRows, type Result } from '../output.ts';
import { wholeNumber } from '../values.ts';

/** In milliseconds. */
const STATEMENT_LIMIT = 30_000;
/** The most frequent texts, of which the lists are made. */
const MOST = 2_000;

export const HELP = `Examples:
  npm run cli -- queries                  what people searched for, with QUERY_LOG=on
  npm run cli -- queries --days 7 --limit 50
  npm run cli -- --json queries

Texts are folded and have no caller. \`results\` is the most of a call; a search counts those of its first page.
Corrected are texts whose words no listing has, and that find listings within one edit of a word.`;

interface Flags extends OutputOptions {
  days: number;
  limit: number;
}

export function addCommands(group: Command): void {
  group
    .description('Lists the most frequent search texts, those without results, corrected, and not understood.')
    .option('--days <days>', 'of the last days', (text: string) => wholeNumber(text, 1, QUERY_DAYS), QUERY_DAYS)
    .option('--limit <texts>', 'texts of each list', (text: string) => wholeNumber(text, 1, MOST), 20);
  act(group, listQueries);
}

function listQueries({ days, limit, json }: Flags): Promise<Result> {
  return withEngine((client) =>
    withDatabase(STATEMENT_LIMIT, async (pool) => {
      const rows = await readQueryLog(pool, days, MOST);
      const shown = rows.map(({ not_understood, ...row }) => ({ ...row, not_understood: not_understood.join(', ') }));
      const corrected = await findCorrected(
        client,
        rows.flatMap(({ kind, text }) => (kind === 'q' ? text : [])),
      );
      const lists = {
        most_frequent: shown,
        // Sentences have no results of their own.
        without_results: shown
          .filter(({ kind, empty }) => kind === 'q' && empty > 0)
          .sort((one, other) => other.empty - one.empty),
        corrected: shown.filter(({ kind, text }) => kind === 'q' && corrected.has(text)),
        not_understood: shown.filter(({ not_understood }) => not_understood !== ''),
      };
      const cut = Object.entries(lists).map(([name, list]) => [name, list.slice(0, limit)] as const);
      if (json) return Object.fromEntries(cut);
      for (const [name, list] of cut) {
        console.log(`${name.replaceAll('_', ' ')}:`);
        printRows(list, { json });
      }
    }),
  );
}

/** Returns the texts that find listings only within one edit of a word. */
async function findCorrected(client: OpenSearch, texts: readonly string[]): Promise<Set<string>> {
  const clauses = [true, false].map((typos) =>
    texts.map((text) => ({ bool: { filter: [searchTextClause(parseSearchText(text), { typos })] } })),
  );
  const [corrected = [], exact = []] = await Promise.all(
    clauses.map((each) => searchListings(client, client.aliases.listings, each, 0)),
  );
  return new Set(texts.filter((_, at) => exact[at]?.total === 0 && (corrected[at]?.total ?? 0) > 0));
}
