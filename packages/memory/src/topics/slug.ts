import { utf8Bytes } from "@caliban/common";
import { MemoryError } from "../errors.ts";

declare const proven: unique symbol;

/** The name of a topic, proven to stay inside its directory: the file is `<slug>.md` there. */
export type TopicSlug = string & { readonly [proven]: "TopicSlug" };

const MAX_SLUG_BYTES = 100;
// Windows looks no further than the first dot, and past the spaces before it.
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;
const KEBAB_CASE = /^[a-z0-9][a-z0-9_-]*$/;
const WRITABLE = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u;

/**
 * The rules for looking: whatever a person may have named a file, as long as it stays in the directory.
 * @throws MemoryError `INVALID_SLUG`
 */
export function parseTopicSlug(text: string): TopicSlug {
  const problem = readingProblem(text);
  if (problem !== undefined) throw invalid(text, problem);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is where it is proven
  return text as TopicSlug;
}

/**
 * The rules for writing: a name that every file system takes, and a link can hold.
 * @throws MemoryError `INVALID_SLUG`
 */
export function parseNewTopicSlug(text: string): TopicSlug {
  const normal = text.normalize("NFC");
  const problem = readingProblem(normal) ?? writingProblem(normal);
  if (problem !== undefined) throw invalid(text, problem);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is where it is proven
  return normal as TopicSlug;
}

/** Whether a file name is a topic's; the index, hidden files and leftovers are not. */
export function slugFromFileName(fileName: string): TopicSlug | undefined {
  if (!fileName.endsWith(".md")) return undefined;
  const stem = fileName.slice(0, -".md".length);
  const plain = slugFromPlainName(stem);
  if (plain !== undefined) return plain;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is where it is proven
  return readingProblem(stem) === undefined ? (stem as TopicSlug) : undefined;
}

/** The same for a name of the plainest kind, which is nearly every one, without a look at the other rules. */
export function slugFromPlainName(name: string): TopicSlug | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is where it is proven
  return KEBAB_CASE.test(name) && name !== "memory" ? (name as TopicSlug) : undefined;
}

/** What two names have in common that are one topic: file systems differ in what they tell apart. */
export function slugKey(slug: string): string {
  return slug.normalize("NFC").toLowerCase();
}

function readingProblem(text: string): string | undefined {
  if (text === "") return "it is empty";
  if (/[/\\]/.test(text)) return "it holds a path separator";
  if (text.includes("..")) return "it holds two dots in a row";
  if (text.includes("\0")) return "it holds a NUL character";
  if (text.startsWith(".")) return "it begins with a dot";
  if (slugKey(text) === "memory") return "MEMORY is the index itself";
  return undefined;
}

function writingProblem(text: string): string | undefined {
  if (utf8Bytes(text) > MAX_SLUG_BYTES) return `it is longer than ${MAX_SLUG_BYTES} bytes`;
  if (!WRITABLE.test(text)) {
    return "it may hold letters, digits, spaces, dots, underscores and hyphens, and begins with a letter or digit";
  }
  if (/[. ]$/.test(text)) return "it ends with a dot or a space";
  if (/\.md$/i.test(text)) return "the ending .md is added by itself";
  if (/^(?:global|project)$/i.test(text)) return "that is the name of a tier";
  if (WINDOWS_DEVICE.test(text)) return "it is the name of a device on Windows";
  return undefined;
}

function invalid(text: string, problem: string): MemoryError {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
  const sentence = `${shown} cannot name a topic: ${problem}; use kebab-case, such as deploy-checklist`;
  return new MemoryError("INVALID_SLUG", sentence);
}
