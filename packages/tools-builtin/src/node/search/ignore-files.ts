import { join, relative, sep } from "node:path";
import { readTextFile } from "@caliban/common/node";
import type { Ignore, Options } from "ignore";

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

interface ChainInput {
  readonly createIgnore: (options: Options) => Ignore;
  readonly ignoreCase: boolean;
}

const MOST_BYTES = 1_000_000;

/** The chain that begins at a directory. */
export async function ignoreChain(top: string, ignoreCase: boolean): Promise<IgnoreChain> {
  const { default: createIgnore } = await import("ignore");
  const input = { createIgnore, ignoreCase };
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
  { createIgnore, ignoreCase }: ChainInput,
  directory: string,
  file: string,
): Promise<readonly IgnoreFile[]> {
  const read = await readTextFile(join(directory, file), MOST_BYTES, { refuseLinks: true });
  if (read.kind !== "text") return [];
  return [{ directory, rules: createIgnore({ ignorecase: ignoreCase }).add(read.text) }];
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
