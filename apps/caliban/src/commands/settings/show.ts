import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import {
  effectiveValue,
  type EffectiveSetting,
  redactedValue,
  type SettingValue,
} from "@caliban/settings";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { openProject } from "../../project/project.ts";
import { UsageError } from "../../usage-error.ts";
import { renderNamedRows } from "../render-rows.ts";
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

function renderTable(settings: readonly EffectiveSetting[], host: Host): string {
  const rows = settings.map((setting) => [
    setting.key,
    formatValue(redactedValue(setting.value)),
    formatOrigins(setting, host),
  ]);
  return renderNamedRows(rows, host).join("");
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
