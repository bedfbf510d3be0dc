import type { RunCommand } from "../command.ts";
import { COMMANDS, loadDefaultCommand } from "./command-table.ts";
import type { CommandRow } from "./command-row.ts";

/**
 * The command that a line of nothing but command names means, such as `memory explain`; `undefined` for anything
 * else. Most calls are like that, and the parser for the rest takes longer to load than they take to run.
 */
export function plainCommand(argv: readonly string[]): (() => Promise<RunCommand>) | undefined {
  let rows: readonly CommandRow[] = COMMANDS;
  let load: (() => Promise<RunCommand>) | undefined = loadDefaultCommand;
  for (const word of argv) {
    const row: CommandRow | undefined = rows.find(({ name }) => name === word);
    // What must have operands is the parser's to refuse.
    load = row?.operands?.startsWith("<") === true ? undefined : row?.load;
    rows = row?.subcommands ?? [];
  }
  return load;
}
