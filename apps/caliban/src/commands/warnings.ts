import { type Receipt, renderReceipt } from "@caliban/memory";
import { renderDiagnostic, type SettingsDiagnostic } from "@caliban/settings";
import type { Host } from "../host.ts";

/** Warnings about settings, for every command. */
export function settingsWarnings(
  { command }: Pick<Host, "command">,
  warnings: readonly SettingsDiagnostic[],
): readonly string[] {
  return warnings.map((problem) => `warning: ${renderDiagnostic(problem, command)}`);
}

/** Warnings that the user's own instructions were not loaded completely, for every command. */
export function memoryWarnings(
  { home, platform, command }: Host,
  receipt: Receipt,
): readonly string[] {
  const text = renderReceipt({ receipt, view: "warning", home, platform, command }).trimEnd();
  return text === "" ? [] : text.split("\n");
}
