import { dirname, resolve } from "node:path";
import { expandTilde } from "@caliban/common";
import { isSymlink, realPathIfExists, statIfExists } from "@caliban/common/node";
import { normalizeText } from "../../markdown/normalize.ts";
import {
  isWithin,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_DEPTH,
  MAX_IMPORTED_BYTES,
  MAX_IMPORTS,
  type Piece,
} from "../../prompt/imports.ts";
import {
  type ImportedPart,
  type SourcePart,
  type SourceText,
  type SplitSource,
  splitSource,
} from "../../prompt/prepare.ts";
import type { MemoryNotice } from "../../notice.ts";
import type { NotLoaded, ReasonCode } from "../../prompt/receipt.ts";
import { readAllowedFile, type TextContent } from "./read-allowed-file.ts";
import type { ReadContext } from "./read-context.ts";

/** The file whose imports are being read. */
export interface ImportingFile {
  readonly path: string;
  /** Real paths of the files that led here, this one last. */
  readonly chain: readonly string[];
  /** Whether it is the user's own, so that what it imports needs no approval. */
  readonly isUserOwned: boolean;
}

export interface ReadSource {
  readonly source: SourceText;
  readonly notices: readonly MemoryNotice[];
}

/** Reads the files that a text imports, and what those import, within the limits of one session. */
export async function readImports(
  context: ReadContext,
  split: SplitSource,
  importer: ImportingFile,
): Promise<ReadSource> {
  const source: SourcePart[] = [];
  for (const piece of split.pieces) {
    // In order: a file that was imported once is a repeat the next time.
    source.push(piece.kind === "text" ? piece : await readImport(context, piece, importer));
  }
  const notices = [
    ...openCommentNotices(importer.path, split.openCommentLine),
    ...midLineNotices(context, split.midLine, importer),
  ];
  return { source, notices };
}

type ImportPiece = Piece & { readonly kind: "import" };

async function readImport(
  context: ReadContext,
  piece: ImportPiece,
  importer: ImportingFile,
): Promise<ImportedPart> {
  const path = resolveTarget(context, piece.target, importer);
  return { ...piece, path, imported: await readTarget(context, { ...piece, path }, importer) };
}

async function readTarget(
  context: ReadContext,
  { target, path }: Pick<ImportedPart, "target" | "path">,
  importer: ImportingFile,
): Promise<ImportedPart["imported"]> {
  const { progress, policy } = context;
  if (URL_LIKE.test(target)) return skipped("URL", "Only files can be imported.");
  // A missing target does not count towards the limit.
  if (realPathIfExists(path) === undefined && !isSymlink(path)) return { notLoaded: MISSING };
  const overLimit = checkLimits(context, importer);
  if (overLimit !== undefined) return overLimit;
  progress.imports += 1;
  const allowed = await readAllowedFile(
    {
      path,
      maxBytes: MAX_IMPORT_BYTES,
      isUserOwned: importer.isUserOwned,
      isImport: true,
      hasRealParent: false,
    },
    policy,
  );
  if ("notLoaded" in allowed) {
    return { notLoaded: allowed.notLoaded.status === "missing" ? MISSING : allowed.notLoaded };
  }
  const { realPath, file } = allowed;
  const problem = checkContent(context, file) ?? checkRepeat(context, { realPath, file }, importer);
  if (problem !== undefined) return problem;
  progress.importedBytes += file.fileBytes;
  progress.loaded.add(realPath, file, path);
  return await readNested(context, { path, realPath, file }, importer);
}

async function readNested(
  context: ReadContext,
  { path, realPath, file }: ReadTarget & { readonly path: string },
  importer: ImportingFile,
): Promise<ImportedPart["imported"]> {
  // A file that the user's own file names is read; what it imports in turn was chosen by its author.
  const isUserOwned =
    importer.isUserOwned &&
    context.configHome !== undefined &&
    isWithin(context.policy.style, realPath, [context.configHome]);
  const chain = [...importer.chain, realPath];
  const split = splitSource(normalizeText(file.text));
  const { source, notices } = await readImports(context, split, { path, chain, isUserOwned });
  return {
    source,
    fileBytes: file.fileBytes,
    notices: [...encodingNotices(path, file), ...notices],
  };
}

interface ReadTarget {
  readonly realPath: string;
  readonly file: TextContent;
}

const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\//i;
const MISSING: NotLoaded = {
  status: "missing",
  code: "ABSENT",
  message: "No such file, so the line is kept as it is.",
};

interface Skipped {
  readonly notLoaded: NotLoaded;
}

function skipped(code: ReasonCode, message: string): Skipped {
  return { notLoaded: { status: "skipped", code, message } };
}

/** Checks the limits that apply before a file is opened. */
function checkLimits({ progress }: ReadContext, { chain }: ImportingFile): Skipped | undefined {
  if (chain.length > MAX_IMPORT_DEPTH) {
    return skipped("TOO_DEEP", `Imports can be at most ${MAX_IMPORT_DEPTH} files deep.`);
  }
  if (progress.imports < MAX_IMPORTS) return undefined;
  return skipped("TOO_MANY", `At most ${MAX_IMPORTS} files can be imported.`);
}

function checkContent({ progress }: ReadContext, file: TextContent): Skipped | undefined {
  if (file.text.includes("\0")) return skipped("BINARY", "Not a text file.");
  if (file.fileBytes > MAX_IMPORT_BYTES) {
    return skipped("TOO_LARGE", `An imported file can have at most ${MAX_IMPORT_BYTES} bytes.`);
  }
  if (progress.importedBytes + file.fileBytes <= MAX_IMPORTED_BYTES) return undefined;
  const message = `All imported files together can have at most ${MAX_IMPORTED_BYTES} bytes.`;
  return skipped("TOO_LARGE", message);
}

function checkRepeat(
  { progress }: ReadContext,
  { realPath, file }: ReadTarget,
  { chain }: ImportingFile,
): Skipped | undefined {
  if (chain.includes(realPath)) return skipped("CYCLE", "The file imports itself.");
  const duplicate = progress.loaded.findDuplicate(realPath, file);
  if (duplicate?.code !== "ALREADY_LOADED") return undefined;
  return skipped(duplicate.code, duplicate.message);
}

function resolveTarget(
  { policy, home }: ReadContext,
  target: string,
  { path }: ImportingFile,
): string {
  return resolve(dirname(path), expandTilde(policy.style, target, home));
}

/** Reports bytes that are not UTF-8. */
export function encodingNotices(path: string, { invalidAt }: TextContent): readonly MemoryNotice[] {
  if (invalidAt === undefined) return [];
  const { line, column } = invalidAt;
  const message = `${path}:${line}:${column}: not valid UTF-8, so the bytes were replaced. Save the file as UTF-8.`;
  return [{ code: "INVALID_UTF8", message }];
}

/** Reports a comment that is never closed. */
export function openCommentNotices(
  path: string,
  line: number | undefined,
): readonly MemoryNotice[] {
  if (line === undefined) return [];
  const message = `${path}:${line}: this comment is never closed, so it stays in the prompt. Close it with -->.`;
  return [{ code: "OPEN_COMMENT", message }];
}

function midLineNotices(
  context: ReadContext,
  targets: readonly string[],
  importer: ImportingFile,
): readonly MemoryNotice[] {
  return targets
    .filter((target) => statIfExists(resolveTarget(context, target, importer))?.isFile() === true)
    .map((target) => ({
      code: "IMPORT_NOT_EXPANDED",
      message: `${importer.path}: @${target} is in the middle of a line and was not imported. Put it on a line of its own.`,
    }));
}
