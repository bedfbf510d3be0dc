import { abbreviateHome, pathStyleOf, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import {
  effectiveValue,
  type EffectiveSetting,
  redactedValue,
  type SettingValue,
} from "@caliban/settings";
import type { CommandResult, Invocation } from "../../command.ts";
import { openProject } from "../../project/project.ts";
import { EXIT } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { renderSettingsWarnings } from "../warnings.ts";
import { UsageError } from "../../usage-error.ts";

/** `caliban settings`: every effective value and where it comes from. */
export async function showSettings(invocation: Invocation): Promise<CommandResult> {
  const { settings } = await openProject(invocation);
  return {
    stdout: invocation.json
      ? toJson(settings.effective)
      : renderTable(settings.effective, invocation.host),
    stderr: renderSettingsWarnings(settings.warnings),
    exitCode: EXIT.done,
  };
}

/** `caliban settings get KEY`: one effective value, plain, for scripts. */
export async function getSetting(invocation: Invocation): Promise<CommandResult> {
  const [spelling = ""] = invocation.operands;
  const { settings } = await openProject(invocation);
  const found = effectiveValue(settings.effective, spelling);
  if ("message" in found) throw new UsageError(found.message);
  const value = redactedValue(found.value);
  const plain = typeof value === "string" ? terminalSafeLine(value) : shownValue(value);
  return {
    stdout: `${invocation.json ? terminalSafeJson(value ?? null) : plain}\n`,
    stderr: renderSettingsWarnings(settings.warnings),
    exitCode: EXIT.done,
  };
}

/** One long value, such as a table of servers, does not push the rest of the table off the screen. */
const WIDEST_VALUE = 40;

function renderTable(settings: readonly EffectiveSetting[], host: Host): string {
  const rows = settings.map(
    (setting) =>
      [
        setting.key,
        shownValue(redactedValue(setting.value)),
        shownOrigins(setting, host),
      ] as const,
  );
  const widest = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length));
  const [keyWidth, valueWidth] = [widest(0), Math.min(WIDEST_VALUE, widest(1))];
  return rows
    .map(
      ([key, value, origins]) =>
        `${key.padEnd(keyWidth)}  ${value.padEnd(valueWidth)}  ${origins}\n`,
    )
    .join("");
}

function shownValue(value: SettingValue): string {
  return value === undefined ? "(not set)" : terminalSafeLine(JSON.stringify(value));
}

function shownOrigins({ origins }: EffectiveSetting, host: Host): string {
  return origins
    .map(({ source, where }) => {
      if (where === undefined) return source;
      return `${source} ${terminalSafeLine(abbreviateHome(pathStyleOf(host.platform), where, host.home))}`;
    })
    .join(" + ");
}

function toJson(settings: readonly EffectiveSetting[]): string {
  const entries = settings.map(({ key, value, origins }) => ({
    key,
    value: redactedValue(value) ?? null,
    origins,
  }));
  return `${terminalSafeJson(entries)}\n`;
}
