import { terminalSafeJson } from "@caliban/common";
import { type Receipt, renderExplanation, renderSummary } from "@caliban/memory";
import type { CommandResult, Invocation } from "../command.ts";
import { loadSessionMemory, openSession } from "../compose.ts";
import { EXIT } from "../exit-code.ts";
import type { Host } from "../host.ts";
import { renderMemoryWarnings, renderSettingsWarnings } from "../render/warnings.ts";

type Render = typeof renderSummary;

/** `caliban memory`: load, and print the receipt. */
export async function showMemory(invocation: Invocation): Promise<CommandResult> {
  return await showReceipt(invocation, renderSummary);
}

/** `caliban memory explain`: the same receipt, with its reasons. */
export async function explainMemory(invocation: Invocation): Promise<CommandResult> {
  return await showReceipt(invocation, renderExplanation);
}

/** The tiers of a receipt, for the person at this host. */
export function renderReceipt(
  { home, platform }: Host,
  receipt: Receipt,
  render: Render = renderSummary,
): string {
  return render({ receipt, home, platform });
}

async function showReceipt(invocation: Invocation, render: Render): Promise<CommandResult> {
  const session = await openSession(invocation);
  const { receipt } = await loadSessionMemory(invocation, session);
  return {
    stdout: invocation.json
      ? `${terminalSafeJson(receipt)}\n`
      : renderReceipt(invocation.host, receipt, render),
    stderr:
      renderSettingsWarnings(session.settings.warnings) +
      renderMemoryWarnings(invocation.host, receipt),
    exitCode: EXIT.done,
  };
}
