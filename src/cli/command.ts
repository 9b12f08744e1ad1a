import type { Command } from 'commander';
import { type OutputOptions, printResult, type Result } from './output.ts';
import { wholeNumber } from './values.ts';

export type Flags = OutputOptions & Record<string, unknown> & { limit: number };

export const limit = (most: number) => ['--limit <n>', 'how many', (text: string) => wholeNumber(text), most] as const;

type Open<Tools> = <T>(work: (tools: Tools) => Promise<T>) => Promise<T>;

type Work<Tools> = (tools: Tools, flags: Flags, ...args: string[]) => Promise<Result> | Result;

/** Returns a function that adds commands to a group. The result of their work is printed. */
export const commandsWith =
  <Tools>(group: Command, open: Open<Tools>) =>
  (usage: string, description: string, work: Work<Tools>): Command =>
    group
      .command(usage)
      .description(description)
      .action(async (...given: unknown[]) => {
        const command = given.at(-1) as Command;
        const flags = command.optsWithGlobals<Flags>();
        printResult(await open(async (tools) => work(tools, flags, ...command.args)), flags);
      });
