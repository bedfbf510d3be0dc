import { lstatSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { estimateTokens, expandTilde } from "@caliban/common";
import { errorCode, realPathIfExists } from "@caliban/common/node";
import { stripComments } from "../../markdown/comments.ts";
import { isWithin, renderImport, MAX_IMPORT_BYTES, MAX_IMPORT_DEPTH, MAX_IMPORTED_BYTES, MAX_IMPORTS, type Piece, renderSkippedImport, splitImports } from "../../prompt/imports.ts";

import { normalizeText } from "../../markdown/normalize.ts";
import { commentNotice, encodingNotice } from "../../prompt/text-notices.ts";
import type { MemoryNotice, ReasonCode, ReceiptEntry } from "../../prompt/receipt.ts";
import { sanitize } from "../../prompt/sanitize.ts";
import type { TierKind } from "../../prompt/tier.ts";
import { type Admission, type AdmissionRules, admitFile } from "./read-allowed-file.ts";
import type { LoadedSet } from "./loaded-set.ts";

export interface ImporterInput {
  readonly rules: AdmissionRules;
  readonly home: string | undefined;
  readonly configHome: string | undefined;
  readonly loaded: LoadedSet;
}

/** The file whose text is being expanded. */
interface ImportingFile {
  readonly tier: TierKind;
  readonly path: string;
  /** Real paths of the files that led here, this one last. */
  readonly chain: readonly string[];
  /** Whether it is the person's own, so that what it names needs no approval. */
  readonly isUserOwned: boolean;
}

interface ExpandedText {
  readonly body: string;
  readonly entries: readonly ReceiptEntry[];
  readonly notices: readonly MemoryNotice[];
}

export interface Importer {
  readonly expand: (text: string, file: ImportingFile) => Promise<ExpandedText>;
}

/** Puts imported files in the place of the lines that name them, within the limits of one load. */
export function createImporter(input: ImporterInput): Importer {
  const run: Run = { ...input, spent: { imports: 0, bytes: 0 } };
  return { expand: async (text, file) => await expandText(run, text, file) };
}

interface Run extends ImporterInput {
  readonly spent: { imports: number; bytes: number };
}

async function expandText(run: Run, text: string, file: ImportingFile): Promise<ExpandedText> {
  const { pieces, midLine } = splitImports(text);
  const parts: string[] = [];
  const entries: ReceiptEntry[] = [];
  const notices: MemoryNotice[] = [...midLineNotices(run, midLine, file)];
  for (const piece of pieces) {
    if (piece.kind === "text") {
      parts.push(sanitize(piece.text));
      continue;
    }
    // In order: a file that was imported once is a repeat the next time.
    // oxlint-disable-next-line no-await-in-loop
    const imported = await importFile(run, piece, file);
    parts.push(imported.body);
    entries.push(...imported.entries);
    notices.push(...imported.notices);
  }
  return { body: parts.join(""), entries, notices };
}

type ImportPiece = Piece & { readonly kind: "import" };
type LocatedPiece = ImportPiece & { readonly path: string };

async function importFile(
  run: Run,
  piece: ImportPiece,
  file: ImportingFile,
): Promise<ExpandedText> {
  const located = { ...piece, path: pathOf(run, piece.target, file) };
  const { path } = located;
  const isUrl = URL_LIKE.test(piece.target);
  // What is not there is no import, and uses none up.
  if (!isUrl && realPathIfExists(path) === undefined && !isLink(path)) return absent(located, file);
  const early = isUrl ? NO_URLS : limitProblem(run, file);
  if (early !== undefined) return skipped(located, file, early);
  run.spent.imports += 1;
  const admission = await admitFile(
    {
      path,
      maxBytes: MAX_IMPORT_BYTES,
      isUserOwned: file.isUserOwned,
      isImport: true,
      hasRealParent: false,
    },
    run.rules,
  );
  if (admission.kind === "refused") return notAdmitted(located, file, admission.why);
  const problem = contentProblem(run, admission) ?? repeatProblem(run, admission, file);
  if (problem !== undefined) return skipped(located, file, problem);
  run.spent.bytes += admission.file.fileBytes;
  run.loaded.add(admission.realPath, admission.file, path);
  return await framedText(run, { ...admission, path }, file);
}

async function framedText(
  run: Run,
  { path, realPath, file }: Admitted & { readonly path: string },
  importer: ImportingFile,
): Promise<ExpandedText> {
  const { text: raw, fileBytes } = file;
  // A file that the person's own one names is read; what that file names in turn is its author's wish.
  const isOperators =
    importer.isUserOwned &&
    run.configHome !== undefined &&
    isWithin(run.rules.style, realPath, [run.configHome]);
  const { text, openCommentLine } = stripComments(normalizeText(raw));
  const chain = [...importer.chain, realPath];
  const inner = await expandText(run, text, { ...importer, path, chain, isUserOwned: isOperators });
  const body = renderImport(path, inner.body);
  const entry: ReceiptEntry = {
    tier: importer.tier,
    kind: "import",
    path,
    importedBy: importer.path,
    bytes: fileBytes,
    tokens: estimateTokens(body),
    status: "loaded",
    reason: "WHOLE",
    message: "Imported whole.",
  };
  const notices = [
    ...encodingNotice(path, file.invalidAt),
    ...commentNotice(path, openCommentLine),
    ...inner.notices,
  ];
  return { body, entries: [entry, ...inner.entries], notices };
}

type Admitted = Admission & { readonly kind: "admitted" };

const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\//i;
const NO_URLS: Problem = { reason: "URL", sentence: "Only files can be imported." };

/** What can be said before a file is opened. */
function limitProblem({ spent }: Run, { chain }: ImportingFile): Problem | undefined {
  if (chain.length > MAX_IMPORT_DEPTH) {
    return { reason: "TOO_DEEP", sentence: `Imports go ${MAX_IMPORT_DEPTH} files deep at most.` };
  }
  if (spent.imports < MAX_IMPORTS) return undefined;
  return { reason: "TOO_MANY", sentence: `One load imports ${MAX_IMPORTS} files at most.` };
}

function contentProblem({ spent }: Run, { file }: Admitted): Problem | undefined {
  if (file.text.includes("\0")) return { reason: "BINARY", sentence: "It is no text." };
  if (file.fileBytes > MAX_IMPORT_BYTES) {
    return { reason: "TOO_LARGE", sentence: `An import has ${MAX_IMPORT_BYTES} bytes at most.` };
  }
  if (spent.bytes + file.fileBytes <= MAX_IMPORTED_BYTES) return undefined;
  return { reason: "TOO_LARGE", sentence: `One load imports ${MAX_IMPORTED_BYTES} bytes at most.` };
}

function repeatProblem(
  { loaded }: Run,
  { realPath, file }: Admitted,
  { chain }: ImportingFile,
): Problem | undefined {
  if (chain.includes(realPath)) return { reason: "CYCLE", sentence: "It imports itself." };
  const double = loaded.find(realPath, file);
  return double?.reason === "ALREADY_LOADED" ? double : undefined;
}

function pathOf({ rules, home }: Run, target: string, file: ImportingFile): string {
  return resolve(dirname(file.path), expandTilde(rules.style, target, home));
}

function midLineNotices(
  run: Run,
  targets: readonly string[],
  file: ImportingFile,
): readonly MemoryNotice[] {
  return targets
    .filter((target) => isFile(pathOf(run, target, file)))
    .map((target) => ({
      code: "IMPORT_NOT_EXPANDED",
      sentence: `${file.path} names @${target} in the middle of a line; an import stands on a line of its own.`,
    }));
}

interface Problem {
  readonly reason: ReasonCode;
  readonly sentence: string;
}

/** The words that stand in the prompt for a reason. */
const REASON_WORDS: Readonly<Partial<Record<ReasonCode, string>>> = {
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

function skipped(
  piece: LocatedPiece,
  file: ImportingFile,
  { reason, sentence }: Problem,
): ExpandedText {
  const entry = { ...entryOf(piece, file), status: "skipped", reason, sentence } as const;
  const body = renderSkippedImport(REASON_WORDS[reason] ?? reason, piece.target);
  return { body, entries: [entry], notices: [] };
}

function notAdmitted(
  piece: LocatedPiece,
  file: ImportingFile,
  why: Problem & { readonly status: "skipped" | "missing" },
): ExpandedText {
  return why.status === "skipped" ? skipped(piece, file, why) : absent(piece, file);
}

function absent(piece: LocatedPiece, file: ImportingFile): ExpandedText {
  const sentence = "There is no such file, so the line stays as it is.";
  const entry = { ...entryOf(piece, file), status: "missing", reason: "ABSENT", sentence } as const;
  return { body: sanitize(piece.source), entries: [entry], notices: [] };
}

function entryOf(
  piece: LocatedPiece,
  { tier, path }: ImportingFile,
): Pick<ReceiptEntry, "tier" | "kind" | "path" | "importedBy" | "bytes" | "tokens"> {
  return {
    tier,
    kind: "import",
    path: piece.path,
    importedBy: path,
    bytes: 0,
    tokens: 0,
  };
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
