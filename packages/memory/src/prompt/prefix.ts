import { type BudgetSettings, type FittedBlock, fitToBudget } from "./budget.ts";
import { importEndLine, importStartLine } from "./imports.ts";
import type { LoadedFile } from "./loaded-file.ts";
import type { MemoryNotice, ReasonCode, Receipt, ReceiptEntry } from "./receipt.ts";
import { splice, topicsNotShown } from "./splice.ts";
import type { Block } from "./tier.ts";
import { MAX_INDEX_BYTES, MAX_INDEX_LINES } from "../topics/limits.ts";
import { truncateBody, truncateLines } from "./truncate.ts";

/** Most bytes of one instruction file that reach the prompt. */
export const MAX_FILE_BYTES: number = 256 * 1024;

export interface PrefixInput {
  readonly workspaceRoot: string;
  readonly files: readonly LoadedFile[];
  readonly settings: BudgetSettings;
  readonly notices: readonly MemoryNotice[];
}

export interface MemoryPrefix {
  /** Goes before the system prompt as it is; empty when there is no memory. */
  readonly prefix: string;
  readonly receipt: Receipt;
}

/** From loaded files to prompt: limit, budget, splice, and account for every file. */
export function buildPrefix(input: PrefixInput): MemoryPrefix {
  const prepared = input.files.map(prepare);
  const fitted = fitToBudget(
    prepared.flatMap((file) => file.block ?? []),
    input.settings,
  );
  const byBlock = new Map(fitted.map((result) => [result.original, result]));
  const entries = prepared.flatMap(({ block, entry, imports }) => {
    const fit = block === undefined ? undefined : byBlock.get(block);
    if (fit === undefined) return [entry].concat(imports);
    return [budgetEntry(entry, fit)].concat(imports.map((found) => importEntry(found, fit)));
  });
  return {
    prefix: splice(fitted.flatMap((result) => result.block ?? [])),
    receipt: {
      workspaceRoot: input.workspaceRoot,
      entries,
      notices: [...input.notices, ...input.files.flatMap(({ notices }) => notices)],
      totalTokens: fitted.reduce((sum, { tokens }) => sum + tokens, 0),
      ceilingTokens: input.settings.ceilingTokens,
    },
  };
}

interface Prepared {
  readonly entry: ReceiptEntry;
  readonly block?: Block;
  readonly imports: readonly ReceiptEntry[];
}

function prepare(file: LoadedFile): Prepared {
  const { imports } = file;
  const { tier, kind, path } = file.candidate;
  if ("notLoaded" in file) {
    return { entry: { tier, kind, path, bytes: 0, tokens: 0, ...file.notLoaded }, imports };
  }
  const entry = { tier, kind, path, bytes: file.fileBytes, tokens: 0 };
  if (file.body.trim() === "" && file.unreadBytes === 0) {
    const sentence = "The file is empty.";
    return { entry: { ...entry, status: "skipped", reason: "BLANK", message: sentence }, imports };
  }
  const { body, unreadBytes: removedBytes, topicCount } = file;
  const block = {
    tier,
    kind,
    path,
    body,
    removedBytes,
    ...(topicCount === undefined ? {} : { topicCount }),
  };
  const { cut } = file;
  return { ...(cut === undefined ? limited(entry, block) : cutBefore(entry, block, cut)), imports };
}

type EntryBase = Pick<ReceiptEntry, "tier" | "kind" | "path" | "bytes" | "tokens">;

/** Whoever gave the block made it fit, and says what that cost. */
function cutBefore(entry: EntryBase, block: Block, sentence: string): Prepared {
  return {
    block,
    entry: { ...entry, status: "truncated", reason: "OVER_BUDGET", message: sentence },
    imports: [],
  };
}

function limited(
  entry: EntryBase,
  whole: Block,
): { readonly entry: ReceiptEntry; readonly block: Block } {
  const isIndex = whole.kind === "index";
  const block = isIndex
    ? truncateBody(truncateLines(whole, MAX_INDEX_LINES), MAX_INDEX_BYTES)
    : whole;
  if (block.removedBytes === 0) {
    return {
      block,
      entry: { ...entry, status: "loaded", reason: "WHOLE", message: "Loaded whole." },
    };
  }
  const reason: ReasonCode = isIndex ? "OVER_INDEX_LIMIT" : "OVER_FILE_LIMIT";
  const limit = isIndex
    ? `${MAX_INDEX_LINES} lines or ${MAX_INDEX_BYTES} bytes`
    : `${MAX_FILE_BYTES} bytes`;
  const sentence = `The file is longer than ${limit}; its last ${block.removedBytes} bytes${andTopics(block)} are not in the prompt.`;
  return { block, entry: { ...entry, status: "truncated", reason, message: sentence } };
}

function andTopics(block: Block): string {
  const count = topicsNotShown(block);
  return count === 0 ? "" : ` and the lines of ${count} ${count === 1 ? "topic" : "topics"}`;
}

/** An import is in the prompt as far as its importer is. */
function importEntry(entry: ReceiptEntry, { original, block }: FittedBlock): ReceiptEntry {
  const isCut = block !== original || original.removedBytes > 0;
  if (entry.status !== "loaded" || !isCut || block?.body.includes(importEndLine(entry.path)) === true) {
    return entry;
  }
  const sentence = "The file that imports it is cut before the end of this one.";
  return block?.body.includes(importStartLine(entry.path)) === true
    ? { ...entry, status: "truncated", reason: "OVER_BUDGET", message: sentence }
    : { ...entry, tokens: 0, status: "skipped", reason: "NO_ROOM", message: sentence };
}

function budgetEntry(entry: ReceiptEntry, fitted: FittedBlock): ReceiptEntry {
  if (fitted.block === fitted.original) return { ...entry, tokens: fitted.tokens };
  const { block, tokens, limit } = fitted;
  const cap = `${limit.name} (${limit.tokens} tokens)`;
  if (block === undefined) {
    const sentence = `${cap} has no room left for this file; raise it, or shorten what comes before.`;
    return { ...entry, tokens, status: "skipped", reason: "NO_ROOM", message: sentence };
  }
  const sentence = `Cut to ${cap}; its last ${block.removedBytes} bytes${andTopics(block)} are not in the prompt.`;
  return { ...entry, tokens, status: "truncated", reason: "OVER_BUDGET", message: sentence };
}
