import { slugKey } from "@caliban/memory";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";

/** The directory that the tool knows, whatever the real one is. */
export const MEMORIES_DIRECTORY = "/memories";

/** What a path leads to. That the name of a topic is one, the store proves. */
export type MemoryPath =
  | { readonly kind: "directory" }
  | { readonly kind: "index" }
  | { readonly kind: "topic"; readonly name: string };

/** @throws MemoryCommandError for whatever is no name right below the directory */
export function parseMemoryPath(path: string): MemoryPath {
  if (path === MEMORIES_DIRECTORY || path === `${MEMORIES_DIRECTORY}/`)
    return { kind: "directory" };
  const name = path.startsWith(`${MEMORIES_DIRECTORY}/`)
    ? path.slice(MEMORIES_DIRECTORY.length + 1)
    : undefined;
  const problem = name === undefined ? OUTSIDE : problemOf(name);
  if (name === undefined || problem !== undefined) {
    throw new MemoryCommandError(`Error: The path ${quoteLine(path)} ${problem}`);
  }
  const stem = name.slice(0, -ENDING.length);
  return slugKey(stem) === "memory" ? { kind: "index" } : { kind: "topic", name: stem };
}

const ENDING = ".md";
const OUTSIDE = `is not in ${MEMORIES_DIRECTORY}. Paths are such as ${MEMORIES_DIRECTORY}/deploy-checklist.md`;

function problemOf(name: string): string | undefined {
  if (name.split(/[/\\]/).includes("..")) {
    return `leads out of its directory. Use a flat name, such as ${MEMORIES_DIRECTORY}/deploy-checklist.md`;
  }
  if (/%[0-9a-f]{2}/i.test(name)) {
    return "is encoded with percent signs. Write the name as it is";
  }
  if (/[/\\]/.test(name)) {
    const flat = name.split(/[/\\]+/).filter((part) => part !== "");
    return `has a sub-directory, and there are none. Use a flat name, such as ${suggested(flat.join("-"))}`;
  }
  if (!name.endsWith(ENDING)) {
    return `is no Markdown file, and there are no others. Use a name that ends with .md, such as ${suggested(name)}`;
  }
  return undefined;
}

function suggested(name: string): string {
  return quoteLine(`${MEMORIES_DIRECTORY}/${name.replace(/\.\w{1,5}$/, "")}${ENDING}`);
}
