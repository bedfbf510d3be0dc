import { checkArguments } from "../check-arguments.ts";
import { MAX_INDEX_BYTES, MAX_INDEX_LINES } from "../topics/limits.ts";
import { type BudgetSettings, type FittedBlock, fitToBudget } from "./budget.ts";
import { importEndLine, importStartLine } from "./imports.ts";
import { prepareFile, type PreparedFile, type ReadFile } from "./prepare.ts";
import type { MemoryNotice } from "../notice.ts";
import type { ReasonCode, Receipt, ReceiptEntry } from "./receipt.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";
import { splice, topicsNotShown } from "./splice.ts";
import type { Block } from "./tier.ts";
import { truncateBody, truncateLines } from "./truncate.ts";

/** How many bytes of one instruction file reach the prompt. */
export const MAX_FILE_BYTES: number = 256 * 1024;

export interface PrefixInput {
  readonly workspaceRoot: string;
  readonly files: readonly ReadFile[];
  readonly settings?: BudgetSettings;
  readonly notices?: readonly MemoryNotice[];
}

export interface MemoryPrefix {
  /** Goes in front of the system prompt unchanged; empty when there is no memory. */
  readonly prefix: string;
  readonly receipt: Receipt;
}

/**
 * Turns files that were read into the prompt: prepare, limit, budget, splice, and account for every file. It needs no
 * disk; `loadMemory` of `@caliban/memory/node` reads the files.
 *
 * @example
 * import { buildPrefix } from "@caliban/memory";
 *
 * const candidate = { tier: "project", kind: "instructions", path: "/app/CLAUDE.md" } as const;
 * const files = [{ candidate, source: "Use pnpm.\n" }];
 * const { prefix } = buildPrefix({ workspaceRoot: "/app", files });
 * console.log(`${prefix}You are a careful reviewer.`);
 */
export function buildPrefix(input: PrefixInput): MemoryPrefix {
  checkArguments("buildPrefix", input, { workspaceRoot: "string", files: "list" });
  const { workspaceRoot, files, settings = DEFAULT_SETTINGS, notices = [] } = input;
  const prepared = files.map((file) => prepareFile(file));
  const limited = prepared.map(limitFile);
  const fitted = fitToBudget(
    limited.flatMap((file) => file.block ?? []),
    settings,
  );
  const byBlock = new Map(fitted.map((result) => [result.original, result]));
  const entries = limited.flatMap(({ block, entry, imports }) => {
    const fit = block === undefined ? undefined : byBlock.get(block);
    if (fit === undefined) return [entry].concat(imports);
    return [budgetEntry(entry, fit)].concat(imports.map((found) => importEntry(found, fit)));
  });
  return {
    prefix: splice(fitted.flatMap((result) => result.block ?? [])),
    receipt: {
      workspaceRoot,
      entries,
      notices: [...notices, ...prepared.flatMap((file) => file.notices)],
      totalTokens: fitted.reduce((sum, { tokens }) => sum + tokens, 0),
      ceilingTokens: settings.ceilingTokens,
    },
  };
}

interface LimitedFile {
  readonly entry: ReceiptEntry;
  readonly block?: Block;
  readonly imports: readonly ReceiptEntry[];
}

/** Applies the limits of a single file, before the budget of all of them. */
function limitFile(file: PreparedFile): LimitedFile {
  const { imports } = file;
  const { tier, kind, path, isLocal, scope } = file.candidate;
  const scoped = scope === undefined ? {} : { scope };
  if ("notLoaded" in file) {
    const { status, code: reason, message, parts } = file.notLoaded;
    const base = { tier, kind, path, ...scoped, bytes: 0, tokens: 0 };
    const entry = { ...base, status, reason, message, parts };
    return { entry, imports };
  }
  const entry = { tier, kind, path, ...scoped, bytes: file.fileBytes, tokens: 0 };
  if (file.body.trim() === "" && file.unreadBytes === 0) {
    const message = "The file is empty.";
    return { entry: { ...entry, status: "skipped", reason: "BLANK", message }, imports };
  }
  const { body, unreadBytes: removedBytes, topicCount } = file;
  const block = {
    tier,
    kind,
    path,
    ...scoped,
    body,
    removedBytes,
    ...(isLocal === true ? { isLocal } : {}),
    ...(topicCount === undefined ? {} : { topicCount }),
  };
  const { cut } = file;
  return {
    ...(cut === undefined ? applyFileLimit(entry, block) : cutBefore(entry, block, cut)),
    imports,
  };
}

type EntryBase = Pick<ReceiptEntry, "tier" | "kind" | "path" | "scope" | "bytes" | "tokens">;

interface LimitedBlock {
  readonly entry: ReceiptEntry;
  readonly block: Block;
}

/** The caller shortened the block and describes what that removed. */
function cutBefore(entry: EntryBase, block: Block, message: string): LimitedBlock {
  return { block, entry: { ...entry, status: "truncated", reason: "OVER_BUDGET", message } };
}

function applyFileLimit(entry: EntryBase, whole: Block): LimitedBlock {
  const isIndex = whole.kind === "index";
  const block = isIndex
    ? truncateBody(truncateLines(whole, MAX_INDEX_LINES), MAX_INDEX_BYTES)
    : whole;
  if (block.removedBytes === 0) {
    return {
      block,
      entry: { ...entry, status: "loaded", reason: "WHOLE", message: "Loaded in full." },
    };
  }
  const reason: ReasonCode = isIndex ? "OVER_INDEX_LIMIT" : "OVER_FILE_LIMIT";
  const limit = isIndex
    ? `${MAX_INDEX_LINES} lines or ${MAX_INDEX_BYTES} bytes`
    : `${MAX_FILE_BYTES} bytes`;
  const message = `The file is longer than ${limit}; ${formatRemoved(block)}.`;
  return { block, entry: { ...entry, status: "truncated", reason, message } };
}

/** An import is in the prompt as far as its importer is. */
function importEntry(entry: ReceiptEntry, { original, block }: FittedBlock): ReceiptEntry {
  const isCut = block !== original || original.removedBytes > 0;
  const isComplete = block?.body.includes(importEndLine(entry.path)) === true;
  if (entry.status !== "loaded" || !isCut || isComplete) return entry;
  const message = "The importing file is truncated before the end of this one.";
  return block?.body.includes(importStartLine(entry.path)) === true
    ? { ...entry, status: "truncated", reason: "OVER_BUDGET", message }
    : { ...entry, tokens: 0, status: "skipped", reason: "NO_ROOM", message };
}

function budgetEntry(entry: ReceiptEntry, fitted: FittedBlock): ReceiptEntry {
  if (fitted.block === fitted.original) return { ...entry, tokens: fitted.tokens };
  const { block, tokens, limit } = fitted;
  const cap = `${limit.name} (${limit.tokens} tokens)`;
  if (block === undefined) {
    const message = `No room left within ${cap}. Raise the limit, or shorten the files above this one.`;
    return { ...entry, tokens, status: "skipped", reason: "NO_ROOM", message };
  }
  const message = `Truncated to fit ${cap}; ${formatRemoved(block)}.`;
  return { ...entry, tokens, status: "truncated", reason: "OVER_BUDGET", message };
}

function formatRemoved(block: Block): string {
  const count = topicsNotShown(block);
  const topics =
    count === 0 ? "" : ` and the lines of ${count} ${count === 1 ? "topic" : "topics"}`;
  return `the last ${block.removedBytes} bytes${topics} are not in the prompt`;
}
