import { terminalSafeLine } from "@caliban/common";
import { type Receipt, renderReceipt } from "@caliban/memory";
import { renderDiagnostic, type SettingsDiagnostic } from "@caliban/settings";
import type { Host } from "../host.ts";

/** Renders warnings about settings for stderr, one per line. */
export function renderSettingsWarnings(warnings: readonly SettingsDiagnostic[]): string {
  return warnings
    .map((problem) => `caliban: warning: ${terminalSafeLine(renderDiagnostic(problem))}\n`)
    .join("");
}

/** Renders the warning that the user's own instructions were not loaded completely, for every command. */
export function renderMemoryWarnings({ home, platform }: Host, receipt: Receipt): string {
  const warning = renderReceipt({ receipt, view: "warning", home, platform });
  return warning === "" ? "" : `caliban: ${warning}`;
}
