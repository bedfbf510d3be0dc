import { estimateTokens, utf8Bytes } from "@caliban/common";
import { stripComments } from "../markdown/comments.ts";
import type { Candidate } from "./candidates.ts";
import { type Piece, renderImport, renderSkippedImport, splitImports } from "./imports.ts";
import type { MemoryNotice } from "../notice.ts";
import type { NotLoaded, ReasonCode, ReceiptEntry } from "./receipt.ts";
import { sanitize } from "./sanitize.ts";

/** A candidate after reading: its text as the file has it, or the reason why there is none. */
export type ReadFile = {
  readonly candidate: Candidate;
  readonly notices?: readonly MemoryNotice[];
} & (ReadText | { readonly notLoaded: NotLoaded });

export interface ReadText extends TextFacts {
  readonly source: SourceText;
  /** The size of the file; that of the text by default. */
  readonly fileBytes?: number;
  /** How many bytes at the end of the file were not read; none by default. */
  readonly unreadBytes?: number;
}

interface TextFacts {
  /** What the caller left out of the text, as a message for the receipt. */
  readonly cut?: string | undefined;
  /** Index only: the number of topics. */
  readonly topicCount?: number;
}

/** A text without comments; when it imports files, split at these lines, each with the file it names. */
export type SourceText = string | readonly SourcePart[];
export type SourcePart = TextPart | ImportedPart;
type TextPart = Piece & { readonly kind: "text" };

export interface ImportedPart {
  readonly kind: "import";
  /** The line that imports the file. */
  readonly source: string;
  /** The path as the line has it. */
  readonly target: string;
  readonly path: string;
  readonly imported:
    | {
        readonly source: SourceText;
        readonly fileBytes: number;
        readonly notices: readonly MemoryNotice[];
      }
    | { readonly notLoaded: NotLoaded };
}

/** A file whose body can go into a block: nothing in it can close the block or pose as one of our frames. */
export type PreparedFile = {
  readonly candidate: Candidate;
  /** Every file it imports, directly or not, and what happened to it. */
  readonly imports: readonly ReceiptEntry[];
  readonly notices: readonly MemoryNotice[];
} & (PreparedText | { readonly notLoaded: NotLoaded });

interface PreparedText extends TextFacts {
  readonly body: string;
  readonly fileBytes: number;
  readonly unreadBytes: number;
}

/** A text without its comments, split at the lines that import files. */
export interface SplitSource {
  readonly pieces: readonly Piece[];
  /** Targets that look like imports but are in the middle of a line. */
  readonly midLine: readonly string[];
  /** The line of a comment that is never closed. */
  readonly openCommentLine: number | undefined;
}

/** The first half of preparing, which tells the reader what to import. The text has been normalized. */
export function splitSource(normalized: string): SplitSource {
  const { text, openCommentLine } = stripComments(normalized);
  return { ...splitImports(text), openCommentLine };
}

/**
 * The second half: puts imported files in the place of the lines that name them, and escapes whatever could break out of
 * a block. It is the only way from text that was read to a block, whichever source the text comes from.
 */
export function prepareFile(file: ReadFile): PreparedFile {
  const { candidate, notices = [] } = file;
  if ("notLoaded" in file) return { ...file, notices, imports: [] };
  const { source, ...facts } = file;
  const text = prepareText(source, candidate);
  return {
    fileBytes: utf8Bytes(text.body),
    unreadBytes: 0,
    ...facts,
    body: text.body,
    imports: text.entries,
    notices: [...notices, ...text.notices],
  };
}

interface ExpandedText {
  readonly body: string;
  readonly entries: readonly ReceiptEntry[];
  readonly notices: readonly MemoryNotice[];
}

type Importer = Pick<Candidate, "tier" | "path">;

function prepareText(source: SourceText, importer: Importer): ExpandedText {
  if (typeof source === "string") return { body: sanitize(source), entries: [], notices: [] };
  const parts = source.map((part) =>
    part.kind === "text"
      ? { body: sanitize(part.text), entries: [], notices: [] }
      : prepareImport(part, importer),
  );
  return {
    body: parts.map(({ body }) => body).join(""),
    entries: parts.flatMap(({ entries }) => entries),
    notices: parts.flatMap(({ notices }) => notices),
  };
}

function prepareImport(part: ImportedPart, importer: Importer): ExpandedText {
  const { imported, path } = part;
  if ("notLoaded" in imported) return skippedImport(part, importer, imported.notLoaded);
  const inner = prepareText(imported.source, { ...importer, path });
  const body = renderImport(path, inner.body);
  const entry: ReceiptEntry = {
    ...entryBase(part, importer),
    bytes: imported.fileBytes,
    tokens: estimateTokens(body),
    status: "loaded",
    reason: "WHOLE",
    message: "Imported in full.",
  };
  return {
    body,
    entries: [entry, ...inner.entries],
    notices: [...imported.notices, ...inner.notices],
  };
}

/** A missing target may not be an import at all, so its line stays as it is. */
function skippedImport(
  part: ImportedPart,
  importer: Importer,
  { status, code: reason, message, parts }: NotLoaded,
): ExpandedText {
  const entry = { ...entryBase(part, importer), status, reason, message, parts };
  const body =
    status === "missing"
      ? sanitize(part.source)
      : renderSkippedImport(PROMPT_REASONS[reason] ?? reason, part.target);
  return { body, entries: [entry], notices: [] };
}

function entryBase(
  { path }: ImportedPart,
  importer: Importer,
): Omit<ReceiptEntry, "status" | "reason" | "message"> {
  const { tier, path: importedBy } = importer;
  return { tier, kind: "import", path, importedBy, bytes: 0, tokens: 0 };
}

/** How the prompt names a reason. Part of the prefix, so the wording is fixed. */
const PROMPT_REASONS: Readonly<Partial<Record<ReasonCode, string>>> = {
  URL: "a URL",
  TOO_DEEP: "too deep",
  TOO_MANY: "too many imports",
  TOO_LARGE: "too large",
  BINARY: "binary",
  CYCLE: "cycle",
  ALREADY_LOADED: "already loaded",
  SECRET_FILE: "never importable",
  GIT_IGNORED: "ignored by git",
  NEEDS_APPROVAL: "needs approval",
  NOT_A_FILE: "not a file",
  UNREADABLE: "unreadable",
};
