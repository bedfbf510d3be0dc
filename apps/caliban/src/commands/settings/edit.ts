import { type SettingEdit, isSettingsError, type SettingValues } from "@caliban/settings";
import { editUserSettings } from "@caliban/settings/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { openProject } from "../../project/project.ts";
import { UsageError } from "../../usage-error.ts";
import { displayPath } from "../user-paths.ts";
import { findInvalidRule } from "./check-rules.ts";
import { requireSettingsFile } from "./settings-file.ts";

/** `caliban settings set KEY VALUE…`. */
export async function setSetting(invocation: Invocation): Promise<CommandResult> {
  const [key = "", ...args] = invocation.operands;
  const invalid = isRuleList(key) ? findInvalidRule(args) : undefined;
  if (invalid !== undefined) throw new UsageError(`${key}: ${invalid}`);
  if (key === "models.default" || key === "models.smol") await checkProvider(invocation, args);
  return await edit(invocation.host, { action: "set", key, args });
}

/** @throws UsageError that lists the providers, if none has this name. A missing key can still be set later. */
async function checkProvider(invocation: Invocation, args: readonly string[]): Promise<void> {
  const values = await currentValues(invocation);
  if (values === undefined) return;
  const { resolveModel } = await import("@caliban/providers");
  const chosen = resolveModel(args.join(" "), { values, env: invocation.host.env });
  if ("problem" in chosen && chosen.problem.code === "UNKNOWN_PROVIDER")
    throw new UsageError(chosen.problem);
}

/** `undefined` for settings that are invalid: the edit reports them, or is about to repair them. */
async function currentValues(invocation: Invocation): Promise<SettingValues | undefined> {
  try {
    return (await openProject(invocation)).settings.values;
  } catch (error) {
    if (isSettingsError(error)) return undefined;
    throw error;
  }
}

/** `caliban settings unset KEY`. */
export async function unsetSetting(invocation: Invocation): Promise<CommandResult> {
  const [key = ""] = invocation.operands;
  return await edit(invocation.host, { action: "unset", key });
}

function isRuleList(key: string): boolean {
  return /^permissions\.(?:allow|ask|deny)$/.test(key);
}

async function edit(host: Host, change: SettingEdit): Promise<CommandResult> {
  const file = requireSettingsFile(host);
  const { key, changed } = await editUserSettings({ ...file, edit: change });
  const result = formatResult(change.action, key, changed);
  return { stdout: `${result} ${displayPath(host, file.path)}\n`, exitCode: EXIT.done };
}

function formatResult(action: SettingEdit["action"], key: string, changed: boolean): string {
  if (action === "set") return changed ? `set ${key} in` : `${key} already has this value in`;
  return changed ? `removed ${key} from` : `${key} is not set in`;
}
