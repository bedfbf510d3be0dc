import { terminalSafeLine } from "@caliban/common";
import { type Receipt, renderGlobalWarning } from "@caliban/memory";
import { renderDiagnostic, type SettingsDiagnostic } from "@caliban/settings";
import type { Host } from "../host.ts";

/** Settings warnings, one a line, for stderr. */
export function renderSettingsWarnings(warnings: readonly SettingsDiagnostic[]): string {
  return warnings
    .map((problem) => `caliban: warning: ${terminalSafeLine(renderDiagnostic(problem))}\n`)
    .join("");
}

/** What a person must hear about the memory of a session, whatever they asked for. */
export function renderMemoryWarnings({ home, platform }: Host, receipt: Receipt): string {
  const warning = renderGlobalWarning({ receipt, home, platform });
  return warning === "" ? "" : `caliban: ${warning}`;
}
