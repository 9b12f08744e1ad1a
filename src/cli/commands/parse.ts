import type { Command } from 'commander';
import { parseSentence } from '#domain/sentence/parse.ts';
import { printJson, printRows } from '../output.ts';

export const HELP = `A neighborhood name that several cities have is listed as an alternative unless the sentence names the city.

Examples:
  npm run cli -- parse "شقة ثلاث غرف بالملقا الرياض أقل من ستين ألف بالسنة"
  npm run cli -- --json parse "villa near Al Malqa, Riyadh, with a pool, under 2.5 million"`;

export function addCommands(group: Command): void {
  group
    .description(
      'Reads a search sentence, in Arabic or English, into the filters of GET /listings, by word lists and rules.',
    )
    .argument('<sentence>', 'search sentence, in Arabic or English')
    .action((sentence: string, _: unknown, command: Command) =>
      run(sentence, command.optsWithGlobals<{ json?: boolean }>()),
    );
}

function run(sentence: string, flags: { json?: boolean }): void {
  const parsed = parseSentence(sentence, { listingsOf: () => 0 });
  if (flags.json) {
    printJson(parsed, 2);
    return;
  }
  printRows(
    parsed.understood.map(({ parameter, value, words }) => ({ parameter, value, words })),
    flags,
  );
  if (parsed.not_understood.length > 0)
    console.log(`Not understood: ${parsed.not_understood.map(({ words }) => `"${words}"`).join(', ')}`);
  for (const { name_en, city, neighborhood_id } of parsed.alternatives)
    console.log(`Possible place: ${name_en}, ${city} (neighborhood_id ${neighborhood_id})`);
}
