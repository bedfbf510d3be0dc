import { join, relative, sep } from "node:path";
import { readTextFile } from "@caliban/common/node";
import type { Ignore, Options } from "ignore";
import { countChoices } from "./pattern-limits.ts";

/** What the ignore files from one directory down to another say; a chain that grows with each directory. */
export interface IgnoreChain {
  /** Whether Git would leave an entry of this directory out. */
  readonly isIgnored: (name: string, isDirectory: boolean) => boolean;
  /** The chain of a directory in this one. */
  readonly below: (name: string) => Promise<IgnoreChain>;
}

interface IgnoreFile {
  readonly directory: string;
  readonly rules: Ignore;
}

/** How ignore files are read. */
export interface IgnoreOptions {
  readonly ignoreCase: boolean;
  /** Hears of lines of a file that are not followed because they could take very long to match. */
  readonly onSkippedRules?: ((lines: number) => void) | undefined;
}

interface ChainInput extends IgnoreOptions {
  readonly createIgnore: (options: Options) => Ignore;
}

const MOST_BYTES = 1_000_000;
/** Of one file: lines of which each leaves a matcher several places to try. */
const MOST_SLOW_LINES = 100;

/** The chain that begins at a directory. */
export async function loadIgnoreChain(top: string, reading: IgnoreOptions): Promise<IgnoreChain> {
  const { default: createIgnore } = await import("ignore");
  const input = { ...reading, createIgnore };
  return await chainAt(input, top, await readRules(input, top, ".git/info/exclude"));
}

async function chainAt(
  input: ChainInput,
  directory: string,
  above: readonly IgnoreFile[],
): Promise<IgnoreChain> {
  const files = [...(await readRules(input, directory, ".gitignore")), ...above];
  return {
    isIgnored: (name, isDirectory) =>
      isIgnoredBy(files, join(directory, name), isDirectory ? "/" : ""),
    below: async (name) => {
      const inner = join(directory, name);
      // Who leaves a directory out says nothing about what is in it; if we are there, somebody else wanted it.
      const speaking = files.filter((file) => !isIgnoredBy([file], inner, "/"));
      return await chainAt(input, inner, speaking);
    },
  };
}

async function readRules(
  { createIgnore, ignoreCase, onSkippedRules: onUnfollowed }: ChainInput,
  directory: string,
  file: string,
): Promise<readonly IgnoreFile[]> {
  const read = await readTextFile(join(directory, file), MOST_BYTES, { refuseLinks: true });
  if (read.kind !== "text") return [];
  const lines = read.text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  const followed = followedLines(lines);
  if (followed.length < lines.length) onUnfollowed?.(lines.length - followed.length);
  return [{ directory, rules: createIgnore({ ignorecase: ignoreCase }).add(followed) }];
}

/** Whoever wrote the file need not be a friend, and a name is matched on the thread that everything runs on. */
function followedLines(lines: readonly string[]): readonly string[] {
  let slow = 0;
  return lines.filter((line) => {
    const choices = countChoices(line);
    if (choices === undefined) return false;
    if (choices > 1) slow += 1;
    return choices <= 1 || slow <= MOST_SLOW_LINES;
  });
}

/** Says that there are such lines, where there are. */
export function skippedRulesNote(count: number): readonly string[] {
  if (count === 0) return [];
  const lines = count === 1 ? "1 line of ignore files was" : `${count} lines of ignore files were`;
  return [`[${lines} left out: too many stars]`];
}

/** The innermost file that says anything decides. */
function isIgnoredBy(files: readonly IgnoreFile[], path: string, suffix: "" | "/"): boolean {
  for (const { directory, rules } of files) {
    const name = relative(directory, path).split(sep).join("/") + suffix;
    const { ignored, unignored } = rules.test(name);
    if (ignored || unignored) return ignored;
  }
  return false;
}
