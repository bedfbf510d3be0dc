import { type BudgetSettings, type FittedBlock, fitToBudget } from "./budget.ts";
import type { Candidate } from "./discover.ts";
import type { Notice, ReasonCode, Receipt, ReceiptEntry } from "./receipt.ts";
import { sanitize } from "./sanitize.ts";
import { splice } from "./splice.ts";
import type { Block } from "./tier.ts";
import { truncateBody, truncateLines } from "./truncate.ts";

/** Most bytes of one instruction file that reach the prompt. */
export const MAX_FILE_BYTES: number = 256 * 1024;
/** Most lines and bytes of the auto-memory index that reach the prompt. */
const MAX_INDEX_LINES = 200;
const MAX_INDEX_BYTES = 25_600;

/** What reading a candidate gave. */
export type Reading =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly fileBytes: number;
      readonly unreadBytes: number;
      /** Where the first bytes stood that are not UTF-8, when there were any. */
      readonly invalidAt?: { readonly line: number; readonly column: number } | undefined;
    }
  | { readonly kind: "missing" | "not-a-file" | "unreadable"; readonly message: string };

export interface ReadCandidate {
  readonly candidate: Candidate;
  /** Absent when the candidate was left out before reading. */
  readonly reading?: Reading;
}

export interface PrefixInput {
  readonly workspaceRoot: string;
  readonly files: readonly ReadCandidate[];
  readonly settings: BudgetSettings;
  readonly notices: readonly Notice[];
}

export interface MemoryPrefix {
  /** Goes before the system prompt as it is; empty when there is no memory. */
  readonly prefix: string;
  readonly receipt: Receipt;
}

/** From texts to prompt: sanitize, limit, budget, splice, and account for every file. */
export function buildPrefix(input: PrefixInput): MemoryPrefix {
  const prepared = input.files.map(prepare);
  const fitted = fitToBudget(
    prepared.flatMap((file) => file.block ?? []),
    input.settings,
  );
  const entries = prepared.map((file) =>
    file.block === undefined
      ? file.entry
      : budgetEntry(
          file.entry,
          fitted.find(({ original }) => original === file.block),
        ),
  );
  return {
    prefix: splice(fitted.flatMap((result) => result.block ?? [])),
    receipt: {
      workspaceRoot: input.workspaceRoot,
      entries,
      notices: [...input.notices, ...input.files.flatMap(encodingNotice)],
      totalTokens: entries.reduce((sum, entry) => sum + entry.tokens, 0),
      ceilingTokens: input.settings.ceilingTokens,
    },
  };
}

interface Prepared {
  readonly entry: ReceiptEntry;
  readonly block?: Block;
}

function prepare({ candidate, reading }: ReadCandidate): Prepared {
  const { tier, path, leaveOut } = candidate;
  const nothing = { tier, path, bytes: 0, tokens: 0 } as const;
  if (leaveOut !== undefined) return { entry: { ...nothing, status: "skipped", ...leaveOut } };
  if (reading?.kind !== "text") return { entry: withoutText(nothing, reading) };
  const entry = { ...nothing, bytes: reading.fileBytes };
  const body = sanitize(reading.text);
  const removedBytes = reading.unreadBytes;
  if (body.trim() === "" && removedBytes === 0) {
    return {
      entry: { ...entry, status: "skipped", reason: "BLANK", sentence: "The file is empty." },
    };
  }
  return limitFile(entry, { tier, path, body, removedBytes });
}

type EntryBase = Pick<ReceiptEntry, "tier" | "path" | "bytes" | "tokens">;

function limitFile(entry: EntryBase, block: Block): Prepared {
  const limited =
    block.tier === "auto"
      ? truncateBody(truncateLines(block, MAX_INDEX_LINES), MAX_INDEX_BYTES)
      : block;
  if (limited.removedBytes === 0) {
    return {
      block: limited,
      entry: { ...entry, status: "loaded", reason: "WHOLE", sentence: "Loaded whole." },
    };
  }
  const reason: ReasonCode = block.tier === "auto" ? "OVER_INDEX_LIMIT" : "OVER_FILE_LIMIT";
  const limit =
    block.tier === "auto"
      ? `${MAX_INDEX_LINES} lines or ${MAX_INDEX_BYTES} bytes`
      : `${MAX_FILE_BYTES} bytes`;
  const sentence = `The file is longer than ${limit}; its last ${limited.removedBytes} bytes are not in the prompt.`;
  return { block: limited, entry: { ...entry, status: "truncated", reason, sentence } };
}

function budgetEntry(entry: ReceiptEntry, fitted: FittedBlock | undefined): ReceiptEntry {
  if (fitted === undefined || fitted.block === fitted.original) {
    return { ...entry, tokens: fitted?.tokens ?? 0 };
  }
  const { block, tokens, limit } = fitted;
  const cap = `${limit.name} (${limit.tokens} tokens)`;
  if (block === undefined) {
    const sentence = `${cap} has no room left for this file; raise it, or shorten what comes before.`;
    return { ...entry, tokens, status: "skipped", reason: "NO_ROOM", sentence };
  }
  const sentence = `Cut to ${cap}; its last ${block.removedBytes} bytes are not in the prompt.`;
  return { ...entry, tokens, status: "truncated", reason: "OVER_BUDGET", sentence };
}

function withoutText(
  base: EntryBase,
  reading: Exclude<Reading, { readonly kind: "text" }> | undefined,
): ReceiptEntry {
  if (reading === undefined || reading.kind === "missing") {
    return { ...base, status: "missing", reason: "ABSENT", sentence: "There is no such file." };
  }
  const reason = reading.kind === "not-a-file" ? "NOT_A_FILE" : "UNREADABLE";
  return { ...base, status: "skipped", reason, sentence: `It cannot be read: ${reading.message}.` };
}

function encodingNotice({ candidate, reading }: ReadCandidate): readonly Notice[] {
  if (reading?.kind !== "text" || reading.invalidAt === undefined) return [];
  const { line, column } = reading.invalidAt;
  const sentence = `${candidate.path}:${line}:${column}: these bytes are not valid UTF-8 and were replaced; save the file as UTF-8.`;
  return [{ code: "INVALID_UTF8", sentence }];
}
