import { slugKey } from "@caliban/memory";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";

/** The directory as the tool names it, whatever the real one is. */
export const MEMORIES_DIRECTORY = "/memories";

/** The target of a path. The store validates the topic name. */
export type MemoryPath =
  | { readonly kind: "directory" }
  | { readonly kind: "index" }
  | { readonly kind: "topic"; readonly name: string };

/** @throws MemoryCommandError for anything but a file directly in the directory */
export function parseMemoryPath(path: string): MemoryPath {
  if (path === MEMORIES_DIRECTORY || path === `${MEMORIES_DIRECTORY}/`)
    return { kind: "directory" };
  const name = path.startsWith(`${MEMORIES_DIRECTORY}/`)
    ? path.slice(MEMORIES_DIRECTORY.length + 1)
    : undefined;
  const problem = name === undefined ? OUTSIDE : findNameProblem(name);
  if (name === undefined || problem !== undefined) {
    throw new MemoryCommandError(`Error: The path ${quoteLine(path)} ${problem}`);
  }
  const stem = name.slice(0, -ENDING.length);
  return slugKey(stem) === "memory" ? { kind: "index" } : { kind: "topic", name: stem };
}

const ENDING = ".md";
const OUTSIDE = `is not in ${MEMORIES_DIRECTORY}. Use a path such as ${MEMORIES_DIRECTORY}/deploy-checklist.md`;

function findNameProblem(name: string): string | undefined {
  if (name.split(/[/\\]/).includes("..")) {
    return `leads out of its directory. Use a flat name, such as ${MEMORIES_DIRECTORY}/deploy-checklist.md`;
  }
  if (/%[0-9a-f]{2}/i.test(name)) {
    return "is percent-encoded. Write the plain name";
  }
  if (/[/\\]/.test(name)) {
    const flat = name.split(/[/\\]+/).filter((part) => part !== "");
    return `has a subdirectory, and subdirectories are not supported. Use a flat name, such as ${suggestPath(flat.join("-"))}`;
  }
  if (!name.endsWith(ENDING)) {
    return `is not a Markdown file, and only Markdown files are supported. Use a name that ends in .md, such as ${suggestPath(name)}`;
  }
  return undefined;
}

function suggestPath(name: string): string {
  return quoteLine(`${MEMORIES_DIRECTORY}/${name.replace(/\.\w{1,5}$/, "")}${ENDING}`);
}
