import { slugKey } from "@caliban/memory";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";

/** The directory as the tool names it, whatever the real one is. */
export const MEMORIES_DIRECTORY = "/memories";

/** The target of a path: the directory itself, the index, or a file or directory in it. */
export type MemoryPath =
  | { readonly kind: "root" }
  | { readonly kind: "index" }
  /** `path` is relative to the directory, such as `projects/notes.txt`. */
  | { readonly kind: "entry"; readonly path: string };

/** @throws MemoryCommandError for a path that is not in the directory */
export function parseMemoryPath(text: string): MemoryPath {
  const problem = findProblem(text);
  if (problem !== undefined) {
    throw new MemoryCommandError(`The path ${quoteLine(text)} ${problem}`);
  }
  if (text !== MEMORIES_DIRECTORY && !text.startsWith(`${MEMORIES_DIRECTORY}/`)) {
    throw new MemoryCommandError(
      `Path must start with ${MEMORIES_DIRECTORY}, got: ${quoteLine(text)}`,
    );
  }
  const segments = resolveSegments(text);
  if (segments === undefined) {
    throw new MemoryCommandError(
      `Path ${quoteLine(text)} would escape ${MEMORIES_DIRECTORY} directory`,
    );
  }
  if (segments.length === 0) return { kind: "root" };
  const path = segments.join("/").normalize("NFC");
  return slugKey(path) === "memory.md" ? { kind: "index" } : { kind: "entry", path };
}

/** Longer than any name of a topic. */
const MAX_CHARACTERS = 1_000;
// Invisible characters, and those that change how a line looks. Those that join emoji or letters are fine.
const INVISIBLE =
  /(?!\u200C|\u200D|\uFE0E|\uFE0F)[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u;

function findProblem(text: string): string | undefined {
  if (text.length > MAX_CHARACTERS) {
    return `is too long: it has ${text.length} characters. Use a shorter name`;
  }
  // Usually an attempt to hide `..` from a check.
  if (/%[0-9a-f]{2}/i.test(text)) return "is percent-encoded. Write the plain name";
  if (text.includes("\\")) return "contains a backslash. Separate directories with /";
  if (INVISIBLE.test(text)) return "contains a control or invisible character. Remove it";
  return undefined;
}

/** The segments below the directory; `undefined` if the path leads out of it. */
function resolveSegments(text: string): readonly string[] | undefined {
  const resolved: string[] = [];
  for (const segment of text.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") resolved.push(segment);
    else if (resolved.pop() === undefined) return undefined;
  }
  const [first, ...below] = resolved;
  return `/${first}` === MEMORIES_DIRECTORY ? below : undefined;
}
