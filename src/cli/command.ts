import type { Command } from 'commander';
import type { OutputOptions } from './output.ts';
import { wholeNumber } from './values.ts';

export type Flags = OutputOptions & Record<string, unknown> & { limit: number };

export const limit = (most: number) => ['--limit <n>', 'how many', (text: string) => wholeNumber(text), most] as const;

type Open<Tools, Result> = (work: (tools: Tools) => Promise<Result>, flags: Flags) => Promise<void>;

type Work<Tools, Result> = (tools: Tools, flags: Flags, ...args: string[]) => Promise<Result> | Result;

export const commandsWith =
  <Tools, Result = void>(group: Command, open: Open<Tools, Result>) =>
  (usage: string, description: string, work: Work<Tools, Result>): Command =>
    group
      .command(usage)
      .description(description)
      .action((...given: unknown[]) => {
        const command = given.at(-1) as Command;
        const flags = command.optsWithGlobals<Flags>();
        return open(async (tools) => work(tools, flags, ...command.args), flags);
      });
