import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { relative, sep } from "node:path";
import { hasCode, isOpenFileAt } from "@caliban/common/node";
import type { Evidence } from "@caliban/memory";
import { createFileTest } from "../../memory-access/readable-files.ts";
import { memoryFilePermission } from "../memory-files.ts";
import { isInside, realPathOf } from "../real-path.ts";
import { realRoot } from "../resolve-path.ts";
import type { ToolState } from "../tool-state.ts";
import { quotedSnippet } from "./quoted-snippet.ts";

const MAX_EVIDENCE = 3;
/** The files that the model read last. */
const MAX_FILES = 20;
/** Evidence in larger files could not be checked later. */
const MAX_BYTES = 1024 * 1024;

/**
 * Finds lines that support a text in the files that the model has read and that still are as they were then. Never in
 * files that rules deny reading, hidden files, and memory itself.
 */
export async function findEvidence(state: ToolState, text: string): Promise<readonly Evidence[]> {
  const { seenFiles, workspace } = state;
  const root = realRoot(workspace);
  const isReadable = createFileTest(workspace.policy);
  const isHidden = hiddenTest(state);
  const found: Evidence[] = [];
  for (const [file, { sha256, bytes }] of [...seenFiles].toReversed().slice(0, MAX_FILES)) {
    if (found.length === MAX_EVIDENCE) break;
    if (sha256 === undefined || bytes > MAX_BYTES || !isInside(root, file)) continue;
    const path = relative(root, file).split(sep).join("/");
    if (isReadable?.(path, "Grep") === false || isHidden(file)) continue;
    const content = readUnchanged(file, sha256);
    const snippet = content === undefined ? undefined : quotedSnippet(text, { path, content });
    if (snippet === undefined || (await looksSecret(snippet))) continue;
    found.push({ path, sha256, snippet });
  }
  return found;
}

function hiddenTest({ workspace, outputFiles }: ToolState): (file: string) => boolean {
  const { memoryDirectory, learnedDirectory, projectHome, sandbox } = workspace;
  const hidden = [memoryDirectory, learnedDirectory, projectHome, ...(sandbox?.hiddenPaths ?? [])]
    .filter((path) => path !== undefined)
    .map(realPathOf);
  return (file) =>
    outputFiles.has(file) ||
    memoryFilePermission(workspace, file) !== "allow" ||
    // Files that hold settings of a machine rather than of a project, such as .env.
    /(?:^|[/\\])\.env(?:\.|$)/.test(file) ||
    hidden.some((directory) => isInside(directory, file));
}

/** The text of a file; `undefined` if it is not the one the model has read. */
function readUnchanged(file: string, sha256: string): string | undefined {
  const bytes = readSmallFile(file);
  if (bytes === undefined) return undefined;
  return createHash("sha256").update(bytes).digest("hex") === sha256 ? bytes.toString() : undefined;
}

function readSmallFile(file: string): Buffer | undefined {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES", "ENXIO", "EISDIR")) return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > MAX_BYTES || !isOpenFileAt(descriptor, file, stats)) {
      return undefined;
    }
    const bytes = Buffer.alloc(stats.size);
    return readSync(descriptor, bytes, 0, stats.size, 0) === stats.size ? bytes : undefined;
  } finally {
    closeSync(descriptor);
  }
}

async function looksSecret(snippet: string): Promise<boolean> {
  const { findSecrets } = await import("@caliban/memory/secrets");
  return (await findSecrets(snippet)).length > 0;
}
