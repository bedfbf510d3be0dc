import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { nodeDisk, writeNewFile } from "@caliban/common/node";
import type { ResolvedEnvironment } from "../project/environment.ts";

/** A file with the user's instructions for another agent, and the line that imports it. */
export interface InstructionFile {
  readonly path: string;
  /** The `@` line for the global file. */
  readonly line: string;
  /** Why only the user can add the line: the path cannot be part of a line, or the global file exists already. */
  readonly blockedBy?: "path" | "global-file" | undefined;
}

/** Leaves out files that the global file imports already. */
export function planInstructions(
  paths: readonly string[],
  globalFile: string,
  { platform, home }: ResolvedEnvironment,
): readonly InstructionFile[] {
  const text = existsSync(globalFile) ? readFileSync(globalFile, "utf8") : undefined;
  const known = new Set((text ?? "").split(/\r?\n/).map((line) => line.trim()));
  return paths.flatMap((path) => {
    const line = `@${abbreviateHome(pathStyleOf(platform), path, home)}`;
    if (known.has(line) || known.has(`@${path}`)) return [];
    return [{ path, line, blockedBy: blockedBy(path, text) }];
  });
}

/** An import ends at the first space. An existing global file belongs to the user. */
function blockedBy(path: string, globalText: string | undefined): InstructionFile["blockedBy"] {
  if (/\s/.test(path) || terminalSafeLine(path) !== path) return "path";
  return globalText === undefined ? undefined : "global-file";
}

/** Creates the global file. It imports the instructions instead of copying them, so later changes take effect here too. */
export async function writeInstructions(
  globalFile: string,
  files: readonly InstructionFile[],
): Promise<void> {
  const lines = files.filter((file) => file.blockedBy === undefined).map(({ line }) => line);
  if (lines.length === 0) return;
  await nodeDisk.makeDirectory(dirname(globalFile));
  await writeNewFile(nodeDisk, globalFile, `${lines.join("\n")}\n`);
}
