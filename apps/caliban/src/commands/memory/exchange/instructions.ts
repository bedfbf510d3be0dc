import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { hasCode, nodeDisk, writeNewFile } from "@caliban/common/node";
import type { Host } from "../../../host.ts";

/** What a person wrote for another program to follow everywhere, and the file of ours that can import it. */
export interface Instructions {
  readonly globalFile: string;
  readonly files: readonly InstructionFile[];
}

interface InstructionFile {
  readonly path: string;
  /** The line that imports it. */
  readonly line: string;
  /** Why nobody but the person can write the line. */
  readonly leftToYou?: string | undefined;
}

/** Only while there is no global file: one that is there is the person's to change. */
export function planInstructions(
  { platform, home }: Host,
  globalFile: string | undefined,
  paths: readonly string[],
): Instructions | undefined {
  if (globalFile === undefined) return undefined;
  const text = textOf(globalFile);
  const known = new Set((text ?? "").split(/\r?\n/).map((line) => line.trim()));
  const files = paths.flatMap((path) => {
    const line = `@${abbreviateHome(pathStyleOf(platform), path, home)}`;
    if (known.has(line) || known.has(`@${path}`)) return [];
    return [{ path, line, leftToYou: reasonToLeave(path, text) }];
  });
  return { globalFile, files };
}

/** An import ends at a blank, and a line that can steer a terminal is nobody's path. */
function reasonToLeave(path: string, globalText: string | undefined): string | undefined {
  if (/\s/.test(path) || terminalSafeLine(path) !== path)
    return "its path cannot stand in a line that imports it";
  return globalText === undefined ? undefined : "that file is yours";
}

/** Imports them by lines, so that what is changed there later holds here as well. */
export async function importInstructions({ globalFile, files }: Instructions): Promise<void> {
  const lines = files.filter(({ leftToYou }) => leftToYou === undefined).map(({ line }) => line);
  if (lines.length === 0) return;
  await nodeDisk.makeDirectory(dirname(globalFile));
  await writeNewFile(nodeDisk, globalFile, `${lines.join("\n")}\n`);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}
