import type { Command } from 'commander';
import { openScreen, type Screen, SILENT } from '#app/start/screen.ts';
import { type OutputOptions, printResult, type Result } from './output.ts';
import { wholeNumber } from './values.ts';

export type Flags = OutputOptions & Record<string, unknown> & { limit: number };

export const limit = (most: number) => ['--limit <n>', 'how many', (text: string) => wholeNumber(text), most] as const;

/** Adds the help text of a group, and to each of its commands the examples that call it. */
export function addHelp(group: Command, help: string): void {
  group.addHelpText('after', `\n${help}`);
  for (const command of group.commands) {
    const examples = examplesOf(command, group, help);
    if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  }
}

/** Returns the lines of a help text that call a command of a group. */
export function examplesOf(command: Command, group: Command, help: string): string[] {
  const call = ` ${group.name()} ${command.name()} `;
  return help.split('\n').filter((line) => `${line} `.replace(' -- ', ' ').replace(' --json ', ' ').includes(call));
}

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
