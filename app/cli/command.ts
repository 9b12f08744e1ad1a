import type { Command } from 'commander';
import { openScreen, type Screen, SILENT } from '#app/start/screen.ts';
import { type OutputOptions, printResult, type Result } from './output.ts';
import { wholeNumber } from './values.ts';

export type Flags = OutputOptions & Record<string, unknown> & { limit: number };

export const limit = (most: number) => ['--limit <n>', 'how many', (text: string) => wholeNumber(text), most] as const;

type Open<Tools> = <T>(work: (tools: Tools) => Promise<T>) => Promise<T>;

export type CommandAction<Tools> = (tools: Tools, flags: Flags, ...args: string[]) => Promise<Result> | Result;

/** Sets the work of a command, whose result is printed. */
export const act = <Options = Flags>(
  command: Command,
  work: (flags: Options & OutputOptions, ...args: string[]) => Promise<Result>,
): Command =>
  command.action(async (...given: unknown[]) => {
    const self = given.at(-1) as Command;
    const flags = self.optsWithGlobals<Options & OutputOptions>();
    printResult(await work(flags, ...self.args), flags);
  });

/** Returns a function that adds commands, whose work receives what `open` opens. */
export const commandsWith =
  <Tools>(group: Command, open: Open<Tools>) =>
  (usage: string, description: string, work: CommandAction<Tools>): Command =>
    act(group.command(usage).description(description), (flags, ...args) =>
      open(async (tools) => work(tools, flags, ...args)),
    );

/** On stderr, because stdout has the report. */
export const screenOf = ({ json }: OutputOptions): Screen => (json ? SILENT : openScreen(process.stderr));

export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  return stopping.signal;
}
