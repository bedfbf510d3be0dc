import {
  abbreviateHome,
  type CommandMessage,
  pathStyleOf,
  shellCommand,
  spellCommands,
  type SpellCommand,
  terminalSafeLine,
} from "@caliban/common";
import type { MemoryServer, ReasonCode, Receipt, ReceiptEntry } from "./receipt.ts";
import { SPLICE_ORDER, type TierKind } from "./tier.ts";

export interface SummaryInput {
  readonly receipt: Receipt;
  /** Paths below it are shown with `~`. */
  readonly home?: string | undefined;
  /** Such as `linux`, which is the default; decides how paths are written. */
  readonly platform?: string | undefined;
  /** Spells the commands that messages name; as in a shell by default. */
  readonly command?: SpellCommand | undefined;
}

/**
 * Renders the tiers with their paths and token counts, from the receipt alone.
 *
 * @example
 * import { renderSummary } from "@caliban/memory";
 * import { loadMemory } from "@caliban/memory/node";
 *
 * const { receipt } = await loadMemory({ directory: process.cwd() });
 * console.log(renderSummary({ receipt }));
 */
export function renderSummary(input: SummaryInput): string {
  const { entries, notices } = input.receipt;
  const rows = entries.filter(isShown).map((entry) => line(labelOf(entry), entry, input));
  return [
    ...SPLICE_ORDER.map((tier) => tierLine(tier, input)),
    ...serverLines(input.receipt),
    ...rows,
    waitingLine(entries),
    ...notices.map((notice) => `  note     ${spelled(notice, input)}\n`),
    totals(input.receipt),
  ].join("");
}

/** Renders every file that was considered, with the reason for what happened to it. */
export function renderExplanation(input: SummaryInput): string {
  const { receipt } = input;
  const entries = receipt.entries.map(
    (entry) =>
      `  ${entry.status.padEnd(10)}${describe(entry).padEnd(9)}${shown(entry.path, input)}${tokensOf(entry)}\n` +
      `            ${entry.reason}: ${spelled(entry, input)}${importer(entry, input)}\n`,
  );
  const notices = receipt.notices.map(
    (notice) => `  notice    ${notice.code}: ${spelled(notice, input)}\n`,
  );
  return [
    `workspace ${shown(receipt.workspaceRoot, input)}\n`,
    ...entries,
    ...(receipt.servers ?? []).map(explainedServer),
    ...notices,
    totals(receipt),
  ].join("");
}

/** Renders one line when something did not reach the prompt completely; empty when everything did. */
export function renderStartLine({ entries, notices }: Receipt, command: string): string {
  const files = entries.filter(({ kind }) => kind !== "import");
  const parts: readonly (readonly [number, string])[] = [
    [count(entries, "truncated"), "truncated"],
    [count(files, "skipped"), "skipped"],
    [entries.filter(isSkippedImport).length, "imports skipped"],
    [notices.length, notices.length === 1 ? "notice" : "notices"],
  ];
  const reported = parts
    .filter(([number]) => number > 0)
    .map(([number, label]) => `${number} ${label}`);
  if (reported.length === 0) return "";
  return `memory: ${[`${count(files, "loaded")} loaded`, ...reported].join(", ")} (${command})\n`;
}

function count(entries: readonly ReceiptEntry[], status: string): number {
  return entries.filter((entry) => entry.status === status && !INTENDED.has(entry.reason)).length;
}

/** Renders one warning for each file of the user's own global memory that did not fit, which only they can fix. */
export function renderGlobalWarnings(input: SummaryInput): readonly string[] {
  return input.receipt.entries
    .filter(
      ({ tier, reason }) => tier === "global" && (reason === "OVER_BUDGET" || reason === "NO_ROOM"),
    )
    .map(
      (entry) =>
        `WARNING: your global memory ${shown(entry.path, input)} is not completely in the prompt. ${spelled(entry, input)}`,
    );
}

/** What the user turned off, excluded or wrote twice is as intended. */
const INTENDED: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  "BLANK",
  "TURNED_OFF",
  "EXCLUDED",
  "DUPLICATE",
  "ALREADY_LOADED",
  "NOT_ACTIVE",
]);

function isSkippedImport({ kind, status, reason }: ReceiptEntry): boolean {
  return kind === "import" && (status === "skipped" ? !INTENDED.has(reason) : status === "missing");
}

/** One line per tier: its file, or how many there are. */
function tierLine(tier: TierKind, input: SummaryInput): string {
  const files = input.receipt.entries.filter(
    (entry) => entry.tier === tier && entry.kind !== "import" && entry.reason !== "NOT_ACTIVE",
  );
  const existing = files.filter(({ status }) => status !== "missing");
  const [only] = existing.length > 0 ? existing : files.filter(isMain);
  const label = `  ${tierName(tier).padEnd(9)}`;
  if (existing.length > 1) {
    const tokens = existing.reduce((sum, entry) => sum + entry.tokens, 0);
    return `${label}${existing.length} files (${grouped(tokens)} tokens)\n`;
  }
  return only === undefined ? "" : line(label, only, input);
}

/** The file to name when a tier has none. */
function isMain({ tier, path }: ReceiptEntry): boolean {
  return tier !== "project" || /[\\/]CLAUDE\.md$/.test(path);
}

function isShown({ tier, kind, status, reason }: ReceiptEntry): boolean {
  if (kind === "import") return status !== "missing";
  return tier === "project" && status !== "missing" && reason !== "NOT_ACTIVE";
}

function labelOf({ kind }: ReceiptEntry): string {
  if (kind === "import") return "    import ";
  return kind === "rule" ? "    rule   " : "    walk   ";
}

function waitingLine(entries: readonly ReceiptEntry[]): string {
  const waiting = entries.filter(({ reason }) => reason === "NOT_ACTIVE").length;
  if (waiting === 0) return "";
  return `    rules  ${waiting} more for files that match their paths\n`;
}

/** Memory on servers costs no tokens here: it is queried on demand. */
function serverLines({ servers = [] }: Receipt): readonly string[] {
  return servers.map(
    (server) =>
      `  server   ${terminalSafeLine(server.name)} (${formatServer(server)}; on demand)\n`,
  );
}

function explainedServer(server: MemoryServer): string {
  return (
    `  on demand server   ${terminalSafeLine(server.name)}\n` +
    `            ${server.state.toUpperCase()}: ${formatServer(server)}\n`
  );
}

function formatServer({ message, memories }: MemoryServer): string {
  const shownMessage = terminalSafeLine(message);
  if (memories === undefined) return shownMessage;
  return `${shownMessage}, ${grouped(memories)} ${memories === 1 ? "memory" : "memories"}`;
}

function describe({ tier, kind }: ReceiptEntry): string {
  return kind === "import" || kind === "rule" ? kind : tierName(tier);
}

/** Blocks that a caller adds are learned memory to the user. */
function tierName(tier: TierKind): string {
  return tier === "extra" ? "learned" : tier;
}

function tokensOf({ tokens }: ReceiptEntry): string {
  return tokens > 0 ? ` (${grouped(tokens)} tokens)` : "";
}

function importer({ importedBy }: ReceiptEntry, input: SummaryInput): string {
  return importedBy === undefined ? "" : ` (imported by ${shown(importedBy, input)})`;
}

function line(label: string, entry: ReceiptEntry, input: SummaryInput): string {
  return `${label}${shown(entry.path, input)} (${state(entry, input)})\n`;
}

function state(entry: ReceiptEntry, input: SummaryInput): string {
  const tokens = `${grouped(entry.tokens)} tokens`;
  if (entry.status === "loaded") return tokens;
  if (entry.status === "truncated") return `${tokens}, truncated`;
  if (entry.status === "missing") return "missing";
  return `skipped: ${spelled(entry, input)}`;
}

function spelled(message: CommandMessage, { command = shellCommand }: SummaryInput): string {
  return terminalSafeLine(spellCommands(message, command));
}

function shown(path: string, { platform = "linux", home }: SummaryInput): string {
  return terminalSafeLine(abbreviateHome(pathStyleOf(platform), path, home));
}

function totals({ totalTokens, ceilingTokens }: Receipt): string {
  return `  ${grouped(totalTokens)} of ${grouped(ceilingTokens)} tokens\n`;
}

// Not toLocaleString, so that the same receipt reads the same on every machine.
function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
