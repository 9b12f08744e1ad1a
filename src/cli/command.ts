import type { Command } from 'commander';
import type { OutputOptions } from './output.ts';

/** A command's own options and the global options. */
export type Flags = OutputOptions & Record<string, unknown>;

/** Work of a command, which receives its tools, options and arguments. */
type Work<Tools> = (tools: Tools, flags: Flags, ...args: string[]) => Promise<void>;

/** Returns a function that adds a command to a group. @param open runs the work of a command with its tools */
export const commandsWith =
  <Tools>(group: Command, open: (work: (tools: Tools) => Promise<void>) => Promise<void>) =>
  (usage: string, description: string, work: Work<Tools>): Command =>
    group
      .command(usage)
      .description(description)
      .action((...given: unknown[]) => {
        const command = given.at(-1) as Command;
        return open((tools) => work(tools, command.optsWithGlobals<Flags>(), ...command.args));
      });
