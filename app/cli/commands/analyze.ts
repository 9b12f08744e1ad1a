import type { Command } from 'commander';
import { analyzeText } from '#stores/opensearch/relevance/analyze.ts';
import { act } from '../command.ts';
import { withEngine } from '../connect.ts';
import { type OutputOptions, printRows, type Result } from '../output.ts';

export const HELP = `Examples:
  npm run cli -- analyze "villa without pool"
  npm run cli -- analyze "شقق مفروشة للإيجار" --index listings   the analyzers of the serving index
  npm run cli -- --json analyze "غرفتين وصالة"`;

export function addCommands(group: Command): void {
  group
    .description(
      'Explains the tokens of a text or query, with the analysis on disk: folding, stop words, stems, synonyms.',
    )
    .argument('<text>', 'text or query, in Arabic or English')
    .option('--index <index>', 'use the analyzers of an index or alias, with INDEX_PREFIX added');
  act(group, analyze);
}

function analyze(flags: OutputOptions & { index?: string }, text = ''): Promise<Result> {
  return withEngine(async (client) => {
    const index = flags.index === undefined ? undefined : client.prefix + flags.index;
    const analysis = await analyzeText(client, text, index);
    if (flags.json) return analysis;
    console.log(`Folded: ${analysis.folded}`);
    printRows(
      analysis.tokens.map(({ word, token, why }) => ({ word, token, why: why.join('; ') })),
      flags,
    );
    console.log('As a query:');
    printRows(
      analysis.query.flatMap(({ word, negated, oneEdit, expansions }) => {
        const notes = [...(negated ? ['stated as absent'] : []), ...(oneEdit ? ['or within one edit'] : [])];
        const first = { word, also_matches: notes.join('; ') || 'as written', why: '' };
        const others = expansions.map(({ words, terms, line }) => ({
          word: words,
          also_matches: terms.join(', '),
          why: line === null ? 'other spelling' : `synonyms.txt line ${line}`,
        }));
        return notes.length > 0 || others.length === 0 ? [first, ...others] : others;
      }),
      flags,
    );
  });
}
