import type { CommandRow } from "./table/command-row.ts";

/** `caliban memory write` */
export function commandName(path: readonly CommandRow[]): string {
  return ["caliban", ...path.map(({ name }) => name)].join(" ");
}
