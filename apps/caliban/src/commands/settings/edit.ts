import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import type { SettingEdit } from "@caliban/settings";
import { editUserSettings, userSettingsPath } from "@caliban/settings/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { UsageError } from "../../usage-error.ts";
import { ruleMistake } from "./check-rules.ts";

/** `caliban settings set KEY VALUE…`. */
export async function setSetting(invocation: Invocation): Promise<CommandResult> {
  const [key = "", ...words] = invocation.operands;
  const mistake = isRuleList(key) ? ruleMistake(words) : undefined;
  if (mistake !== undefined) throw new UsageError(`${key}: ${mistake}`);
  return await edit(invocation.host, { action: "set", key, args: words });
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
  const style = pathStyleOf(host.platform);
  const path = userSettingsPath(host);
  if (path === undefined) {
    throw new UsageError(
      "no home directory is known, so there is no settings file; set HOME or XDG_CONFIG_HOME",
    );
  }
  const { platform, home } = host;
  const { key, changed } = await editUserSettings({ path, edit: change, platform, home });
  const shown = terminalSafeLine(abbreviateHome(style, path, host.home));
  return { stdout: `${sentence(change.action, key, changed)} ${shown}\n`, exitCode: EXIT.done };
}

function sentence(action: SettingEdit["action"], key: string, changed: boolean): string {
  if (action === "set") return changed ? `set ${key} in` : `${key} has this value already in`;
  return changed ? `took ${key} out of` : `${key} is not set in`;
}
