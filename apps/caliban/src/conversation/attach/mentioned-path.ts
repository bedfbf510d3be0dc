import { statSync } from "node:fs";
import { resolve } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import type { Mention } from "./find-mentions.ts";

/** A path in a message that leads to something. */
export interface MentionedPath {
  readonly absolute: string;
  /** As the user wrote it. */
  readonly shown: string;
  readonly isDirectory: boolean;
}

/** The first reading that exists. A path in quotes is returned in any case, so that the user learns what is wrong. */
export function findMentioned(
  readings: readonly Mention[],
  { directories }: { readonly directories: readonly string[] },
): readonly MentionedPath[] {
  for (const { path } of readings) {
    for (const directory of directories) {
      const absolute = resolve(directory, path);
      const kind = kindOf(absolute);
      if (kind === undefined) continue;
      return [{ absolute, shown: terminalSafeLine(path), isDirectory: kind === "directory" }];
    }
  }
  const [first] = readings;
  const [directory] = directories;
  if (first?.isQuoted !== true || directory === undefined) return [];
  const absolute = resolve(directory, first.path);
  return [{ absolute, shown: terminalSafeLine(first.path), isDirectory: false }];
}

function kindOf(path: string): "directory" | "other" | undefined {
  try {
    return statSync(path).isDirectory() ? "directory" : "other";
  } catch (error) {
    // Just a word of the message.
    if (errorCode(error) === undefined && !(error instanceof TypeError)) throw error;
    return undefined;
  }
}
