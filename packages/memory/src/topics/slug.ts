import { utf8Bytes } from "@caliban/common";
import { checkText } from "../check-arguments.ts";
import { MemoryError } from "../errors.ts";

/**
 * The name of a topic. It cannot leave the directory: the file is always `<directory>/<slug>.md`. The mark exists in the
 * type only, and is not a symbol, because a symbol of another copy of this package would be another type.
 */
export type TopicSlug = string & { readonly "~checked": "TopicSlug" };

const MAX_SLUG_BYTES = 100;
// Windows reads a device name only up to the first dot, and ignores spaces before it.
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;
const KEBAB_CASE = /^[a-z0-9][a-z0-9_-]*$/;
const WRITABLE = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u;

/**
 * Accepts any name that a user may have given a file, as long as it stays in the directory. For reading.
 * @throws MemoryError `INVALID_SLUG`
 */
export function parseTopicSlug(text: string): TopicSlug {
  const problem = findReadProblem(text);
  if (problem !== undefined) throw invalidSlug(text, problem);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above
  return text as TopicSlug;
}

/**
 * Accepts only names that every file system takes and that fit in a link. For new topics.
 * @throws MemoryError `INVALID_SLUG`
 */
export function parseNewTopicSlug(text: string): TopicSlug {
  checkText("parseNewTopicSlug", text);
  const normal = text.normalize("NFC");
  const problem = findReadProblem(normal) ?? findWriteProblem(normal);
  if (problem !== undefined) throw invalidSlug(text, problem);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above
  return normal as TopicSlug;
}

/** The slug of a topic file; `undefined` for the index, hidden files and temporary files. */
export function slugFromFileName(fileName: string): TopicSlug | undefined {
  if (!fileName.endsWith(".md")) return undefined;
  const stem = fileName.slice(0, -".md".length);
  const plain = slugFromPlainName(stem);
  if (plain !== undefined) return plain;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked here
  return findReadProblem(stem) === undefined ? (stem as TopicSlug) : undefined;
}

/** A fast path for kebab-case names, which nearly all are: one pattern instead of all the rules. */
export function slugFromPlainName(name: string): TopicSlug | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked here
  return KEBAB_CASE.test(name) && name !== "memory" ? (name as TopicSlug) : undefined;
}

/** Equal for two names that some file system would treat as the same file. */
export function slugKey(slug: string): string {
  checkText("slugKey", slug);
  return slug.normalize("NFC").toLowerCase();
}

function findReadProblem(text: string): string | undefined {
  if (text === "") return "it is empty";
  if (/[/\\]/.test(text)) return "it contains a path separator";
  if (text.includes("..")) return "it contains two dots in a row";
  if (text.includes("\0")) return "it contains a NUL character";
  if (text.startsWith(".")) return "it starts with a dot";
  if (slugKey(text) === "memory") return "MEMORY is the index itself";
  return undefined;
}

function findWriteProblem(text: string): string | undefined {
  if (utf8Bytes(text) > MAX_SLUG_BYTES) return `it is longer than ${MAX_SLUG_BYTES} bytes`;
  if (!WRITABLE.test(text)) {
    return "it may contain letters, digits, spaces, dots, underscores and hyphens, and must start with a letter or digit";
  }
  if (/[. ]$/.test(text)) return "it ends with a dot or a space";
  if (/\.md$/i.test(text)) return "leave out .md; it is added automatically";
  if (/^(?:global|project)$/i.test(text)) return "it is the name of a tier";
  if (WINDOWS_DEVICE.test(text)) return "it is a device name on Windows";
  return undefined;
}

function invalidSlug(text: string, problem: string): MemoryError {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
  const message = `invalid topic name ${shown}: ${problem}; use kebab-case, such as deploy-checklist`;
  return new MemoryError("INVALID_SLUG", message);
}
