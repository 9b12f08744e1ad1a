import type { Command } from 'commander';
import type { OutputOptions } from './output.ts';

/** A command's own options and the global options. */
export type Flags = OutputOptions & Record<string, unknown>;

/** Runs the work of a command with its tools. */
type Open<Tools, Result> = (work: (tools: Tools) => Promise<Result>, flags: Flags) => Promise<void>;

/** Work of a command, which receives its tools, options and arguments. */
type Work<Tools, Result> = (tools: Tools, flags: Flags, ...args: string[]) => Promise<Result> | Result;

/** Returns a function that adds a command to a group. */
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
