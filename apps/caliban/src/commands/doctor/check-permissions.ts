import { renderDiagnostic } from "@caliban/settings";
import { type LoadedSettings, locateSetting, userSettingsPath } from "@caliban/settings/node";
import type { Host } from "../../host.ts";
import { findInvalidRule } from "../settings/check-rules.ts";
import { abbreviatePath } from "../user-paths.ts";
import { type Check, problem } from "./check.ts";

const RULE_LISTS = ["permissions.allow", "permissions.ask", "permissions.deny"] as const;

/** Finds invalid permission rules in the user's own settings. No conversation starts with one. */
export async function checkPermissions(
  host: Host,
  { trusted }: LoadedSettings,
): Promise<readonly Check[]> {
  const path = userSettingsPath(host);
  const checks = RULE_LISTS.map(async (key) => {
    const invalid = findInvalidRule(trusted[key]);
    if (invalid === undefined || path === undefined) return [];
    const { platform, home } = host;
    const location = await locateSetting({ path, key, platform, home });
    const message = renderDiagnostic({
      code: "WRONG_TYPE",
      path: abbreviatePath(host, path),
      ...location,
      message: `${key}: ${invalid}`,
    });
    const remedy = `Fix this line, or remove the list: ${host.command(`settings unset ${key}`)}`;
    return [problem("permissions", message, remedy)];
  });
  return (await Promise.all(checks)).flat();
}
