import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import type { Receipt, ReceiptEntry } from "./receipt.ts";

export interface SummaryInput {
  readonly receipt: Receipt;
  readonly home: string | undefined;
  readonly platform: string;
}

/** The tiers with their paths and token counts, for people. Made from the receipt and nothing else. */
export function renderSummary(input: SummaryInput): string {
  const { receipt } = input;
  const tiers = receipt.entries.map((entry) => line(`  ${entry.tier.padEnd(9)}`, entry, input));
  const walked = receipt.entries
    .filter((entry) => entry.tier === "project" && entry.tokens > 0)
    .map((entry) => line("    walk   ", entry, input));
  const notices = receipt.notices.map(
    ({ sentence }) => `  note     ${terminalSafeLine(sentence)}\n`,
  );
  return [...tiers, ...walked, ...notices, totals(receipt)].join("");
}

/** Every file considered, with its reason in a sentence. */
export function renderExplanation(input: SummaryInput): string {
  const { receipt } = input;
  const entries = receipt.entries.map(
    (entry) =>
      `  ${entry.status.padEnd(10)}${entry.tier.padEnd(9)}${shown(entry.path, input)}\n` +
      `            ${entry.reason}: ${terminalSafeLine(entry.sentence)}\n`,
  );
  const notices = receipt.notices.map(
    ({ code, sentence }) => `  notice    ${code}: ${terminalSafeLine(sentence)}\n`,
  );
  return [
    `workspace ${shown(receipt.workspaceRoot, input)}\n`,
    ...entries,
    ...notices,
    totals(receipt),
  ].join("");
}

/** One line when something did not reach the prompt whole; empty when everything did. */
export function renderStartLine(receipt: Receipt, command: string): string {
  const count = (status: string): number =>
    receipt.entries.filter((entry) => entry.status === status).length;
  const truncated = count("truncated");
  const skipped = receipt.entries.filter(isWorthSaying).length;
  if (truncated + skipped + receipt.notices.length === 0) return "";
  const parts = [
    `${count("loaded")} loaded`,
    ...(truncated > 0 ? [`${truncated} truncated`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(receipt.notices.length > 0 ? [`${receipt.notices.length} to note`] : []),
  ];
  return `memory: ${parts.join(", ")} (${command})\n`;
}

/** A loud line when the person's own rules did not fit, which is theirs to mend; empty when they did. */
export function renderGlobalWarning(input: SummaryInput): string {
  return input.receipt.entries
    .filter(
      ({ tier, reason }) => tier === "global" && (reason === "OVER_BUDGET" || reason === "NO_ROOM"),
    )
    .map(
      (entry) =>
        `WARNING: your global memory ${shown(entry.path, input)} is not whole in the prompt. ${terminalSafeLine(entry.sentence)}\n`,
    )
    .join("");
}

/** What a person turned off or left empty is as they want it. */
function isWorthSaying({ status, reason }: ReceiptEntry): boolean {
  return status === "skipped" && reason !== "BLANK" && reason !== "TURNED_OFF";
}

function line(label: string, entry: ReceiptEntry, input: SummaryInput): string {
  return `${label}${shown(entry.path, input)} (${state(entry)})\n`;
}

function state(entry: ReceiptEntry): string {
  const tokens = `${grouped(entry.tokens)} tokens`;
  if (entry.status === "loaded") return tokens;
  if (entry.status === "truncated") return `${tokens}, truncated`;
  if (entry.status === "missing") return "missing";
  return `skipped: ${terminalSafeLine(entry.sentence)}`;
}

function shown(path: string, { platform, home }: SummaryInput): string {
  return terminalSafeLine(abbreviateHome(pathStyleOf(platform), path, home));
}

function totals({ totalTokens, ceilingTokens }: Receipt): string {
  return `  ${grouped(totalTokens)} of ${grouped(ceilingTokens)} tokens\n`;
}

// Not toLocaleString: the same receipt reads the same on every machine.
function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
