import { KEYS } from "@caliban/tui";
import type { SlashResult, SlashRow } from "./slash-command.ts";
import { SLASH_COMMANDS } from "./slash-table.ts";

/** `/help`: lists the commands and the keys. */
export async function help(): Promise<SlashResult> {
  const rows = [
    ...SLASH_COMMANDS.map((row) => [usageOf(row), row.doc] as const),
    ["", ""] as const,
    ...KEYS.map(({ keys, doc }) => [keys, doc] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, doc]) => `${name.padEnd(width)}  ${doc}`.trimEnd());
  return { kind: "text", text: lines.join("\n") };
}

/** A command with its arguments and its aliases. */
function usageOf({ name, aliases = [], operands }: SlashRow): string {
  const usage = operands === undefined ? `/${name}` : `/${name} ${operands}`;
  return [usage, ...aliases.map((alias) => `/${alias}`)].join(", ");
}
