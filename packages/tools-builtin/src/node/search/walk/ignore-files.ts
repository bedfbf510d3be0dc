import { join, relative, sep } from "node:path";
import { countChoices } from "@caliban/common";
import { readTextFile } from "@caliban/common/node";
import type { Ignore, Options } from "ignore";

/** The ignore files that apply to a directory. The chain grows with each level. */
export interface IgnoreChain {
  /** Whether Git ignores an entry of this directory. */
  readonly isIgnored: (name: string, isDirectory: boolean) => boolean;
  /** The chain of a directory inside this one. */
  readonly below: (name: string) => Promise<IgnoreChain>;
}

interface IgnoreFile {
  readonly directory: string;
  readonly rules: Ignore;
}

/** Options for reading ignore files. */
export interface IgnoreOptions {
  readonly ignoreCase: boolean;
  /** Called with the number of lines in a file that are skipped because matching them could take very long. */
  readonly onSkippedRules?: ((lines: number) => void) | undefined;
}

interface ChainInput extends IgnoreOptions {
  readonly createIgnore: (options: Options) => Ignore;
}

const MAX_BYTES = 1_000_000;
/** The limit per file for lines that leave the matcher several positions to try. */
const MAX_SLOW_LINES = 100;

/** Loads the chain that starts at a directory. */
export async function loadIgnoreChain(top: string, options: IgnoreOptions): Promise<IgnoreChain> {
  const { default: createIgnore } = await import("ignore");
  const input = { ...options, createIgnore };
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
      // A file that ignores a directory says nothing about what is inside. If we are inside, another file included it.
      const relevant = files.filter((file) => !isIgnoredBy([file], inner, "/"));
      return await chainAt(input, inner, relevant);
    },
  };
}

async function readRules(
  { createIgnore, ignoreCase, onSkippedRules }: ChainInput,
  directory: string,
  file: string,
): Promise<readonly IgnoreFile[]> {
  // The git directory may be a link; an ignore file in a directory that became one is not ours.
  const isRealPath = file === ".gitignore";
  const read = readTextFile(join(directory, file), MAX_BYTES, { isRealPath, refuseLinks: true });
  if (read.kind !== "text") return [];
  const lines = read.text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  const accepted = acceptedLines(lines);
  if (accepted.length < lines.length) onSkippedRules?.(lines.length - accepted.length);
  return [{ directory, rules: createIgnore({ ignorecase: ignoreCase }).add(accepted) }];
}

/** The file may be hostile, and names are matched on the main thread. */
function acceptedLines(lines: readonly string[]): readonly string[] {
  let slow = 0;
  return lines.filter((line) => {
    const choices = countChoices(line);
    if (choices === undefined) return false;
    if (choices > 1) slow += 1;
    return choices <= 1 || slow <= MAX_SLOW_LINES;
  });
}

/** Reports skipped lines, if there are any. */
export function skippedRulesNote(count: number): readonly string[] {
  if (count === 0) return [];
  const lines = count === 1 ? "1 line of ignore files was" : `${count} lines of ignore files were`;
  return [`[${lines} skipped: too many stars]`];
}

/** The innermost file that mentions the path decides. */
function isIgnoredBy(files: readonly IgnoreFile[], path: string, suffix: "" | "/"): boolean {
  for (const { directory, rules } of files) {
    const name = relative(directory, path).split(sep).join("/") + suffix;
    const { ignored, unignored } = rules.test(name);
    if (ignored || unignored) return ignored;
  }
  return false;
}
