import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { errorCode, lstatIfExists, readTextFile } from "@caliban/common/node";
import type { SourceFile, SourceProblem } from "../../../exchange/source.ts";
import { INDEX_FILE, MAX_TOPIC_BYTES } from "../../../topics/limits.ts";
import type { ResolvedEnvironment } from "../../project/environment.ts";

/** What the sources need to find their files. */
export interface FindSourceInput {
  readonly environment: ResolvedEnvironment;
  readonly workspaceRoot: string;
  /** The path that identifies the project, the same in all of its worktrees. */
  readonly projectPath: string;
  /** The file or directory to import, for `dir` and `agents-md`. */
  readonly path: string | undefined;
}

/** More than any agent stores for a project. */
export interface SourceLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

const LIMITS: SourceLimits = { maxFiles: 20_000, maxBytes: 128 * 1024 * 1024 };

/** Larger than any document that contains or lists topics. */
export const MAX_DOCUMENT_BYTES: number = 16 * 1024 * 1024;

export interface SourceDirectory {
  readonly files: readonly SourceFile[];
  readonly index: SourceFile | undefined;
  /** The names of files that are not Markdown. */
  readonly others: readonly string[];
  /** The names of Markdown files beyond the limit. */
  readonly tooMany: readonly string[];
}

/** Reads a directory of Markdown files; `undefined` when it cannot be listed. */
export function readSourceDirectory(
  directory: string,
  { maxFiles, maxBytes }: SourceLimits = LIMITS,
): SourceDirectory | undefined {
  const names = namesIn(directory)?.toSorted();
  if (names === undefined) return undefined;
  const topics = names.filter((name) => isMarkdown(name) && name !== INDEX_FILE);
  const paths = topics.slice(0, maxFiles).map((name) => join(directory, name));
  const index = names.includes(INDEX_FILE)
    ? readSourceFile(join(directory, INDEX_FILE), { maxBytes: MAX_DOCUMENT_BYTES })
    : undefined;
  return {
    files: readUpTo(maxBytes, paths),
    index,
    others: names.filter((name) => !isMarkdown(name)),
    tooMany: topics.slice(maxFiles),
  };
}

/** The names in a directory; `undefined` when it cannot be listed. */
export function namesIn(directory: string): readonly string[] | undefined {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

function isMarkdown(name: string): boolean {
  return name.endsWith(".md") && !name.startsWith(".");
}

/** Reads files until their texts exceed the limit. Each file after that gets a problem. */
function readUpTo(maxBytes: number, paths: readonly string[]): readonly SourceFile[] {
  let totalBytes = 0;
  return paths.map((path) => {
    if (totalBytes > maxBytes) {
      const message = `more than ${maxBytes} bytes come before it; import it from a directory of its own`;
      return withProblem({ name: stem(path), path, bytes: sizeOf(path) }, "TOO_MANY", message);
    }
    const file = readSourceFile(path);
    if ("text" in file) totalBytes += file.bytes ?? 0;
    return file;
  });
}

/** Reads one file. A symbolic link is refused, whatever it leads to. */
export function readSourceFile(
  path: string,
  {
    name = stem(path),
    maxBytes = MAX_TOPIC_BYTES,
  }: { readonly name?: string; readonly maxBytes?: number } = {},
): SourceFile {
  const read = readTextFile(path, maxBytes, { refuseLinks: true });
  const about = { name, path, bytes: sizeOf(path) };
  if (read.kind !== "text") {
    const message = read.kind === "missing" ? "it no longer exists" : read.message;
    return withProblem(about, "UNREADABLE", message);
  }
  if (read.readBytes < read.fileBytes)
    return withProblem(about, "TOO_LARGE", `larger than ${maxBytes} bytes`);
  if (read.invalidAt !== undefined)
    return withProblem(about, "INVALID_UTF8", `not valid UTF-8 at line ${read.invalidAt.line}`);
  // Only binary files contain it: archives, databases, images.
  if (read.text.includes("\0")) return withProblem(about, "NOT_TEXT", "not a text file");
  return { ...about, text: read.text };
}

/** A file that cannot be imported. */
export function withProblem(
  file: Pick<SourceFile, "name" | "path" | "bytes">,
  code: SourceProblem,
  message: string,
): SourceFile {
  return { ...file, problem: { code, message, path: file.path } };
}

function stem(path: string): string {
  return basename(path).replace(/\.md$/, "");
}

function sizeOf(path: string): number | undefined {
  const stats = lstatIfExists(path);
  return stats?.isFile() === true ? stats.size : undefined;
}
