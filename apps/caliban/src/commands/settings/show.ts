import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import {
  effectiveValue,
  type EffectiveSetting,
  redactedValue,
  type SettingValue,
} from "@caliban/settings";
import { createStyle } from "../../cli/style.ts";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { openProject } from "../../project/project.ts";
import { UsageError } from "../../usage-error.ts";
import { displayPath } from "../user-paths.ts";
import { settingsWarnings } from "../warnings.ts";

/** `caliban settings`: every effective value and its origin. */
export async function showSettings(invocation: Invocation): Promise<CommandResult> {
  const { settings } = await openProject(invocation);
  return {
    stdout: invocation.json
      ? toJson(settings.effective)
      : renderTable(settings.effective, invocation.host),
    stderr: settingsWarnings(invocation.host, settings.warnings),
    exitCode: EXIT.done,
  };
}

function toJson(settings: readonly EffectiveSetting[]): string {
  const entries = settings.map(({ key, value, origins }) => ({
    key,
    value: redactedValue(value) ?? null,
    origins,
  }));
  return `${terminalSafeJson(entries)}\n`;
}

/** So that one long value, such as a table of servers, does not push the rest off the screen. */
const MAX_VALUE_WIDTH = 40;

function renderTable(settings: readonly EffectiveSetting[], host: Host): string {
  const { name } = createStyle(host.hasColor("stdout"));
  const rows = settings.map(
    (setting) =>
      [
        setting.key,
        formatValue(redactedValue(setting.value)),
        formatOrigins(setting, host),
      ] as const,
  );
  const width = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length));
  const [keyWidth, valueWidth] = [width(0), Math.min(MAX_VALUE_WIDTH, width(1))];
  return rows
    .map(
      ([key, value, origins]) =>
        `${name(key.padEnd(keyWidth))}  ${value.padEnd(valueWidth)}  ${origins}\n`,
    )
    .join("");
}

function formatOrigins({ origins }: EffectiveSetting, host: Host): string {
  return origins
    .map(({ source, where }) =>
      where === undefined ? source : `${source} ${displayPath(host, where)}`,
    )
    .join(" + ");
}

/** `caliban settings get KEY`: one effective value, for scripts. */
export async function getSetting(invocation: Invocation): Promise<CommandResult> {
  const [spelling = ""] = invocation.operands;
  const { settings } = await openProject(invocation);
  const found = effectiveValue(settings.effective, spelling);
  if ("message" in found) throw new UsageError(found);
  const value = redactedValue(found.value);
  const plain = typeof value === "string" ? terminalSafeLine(value) : formatValue(value);
  return {
    stdout: `${invocation.json ? terminalSafeJson(value ?? null) : plain}\n`,
    stderr: settingsWarnings(invocation.host, settings.warnings),
    exitCode: EXIT.done,
  };
}

function formatValue(value: SettingValue): string {
  return value === undefined ? "(not set)" : terminalSafeLine(JSON.stringify(value));
}
