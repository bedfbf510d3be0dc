import { renderDiagnostic } from "@caliban/settings";
import { type LoadedSettings, locateSetting, userSettingsPath } from "@caliban/settings/node";
import type { Host } from "../../host.ts";
import { ruleMistake } from "../settings/check-rules.ts";
import { type Check, problem } from "./check.ts";
import { shownPath } from "./shown-path.ts";

const LISTS = ["permissions.allow", "permissions.ask", "permissions.deny"] as const;

/** Rules of the person's own that are none, which no conversation begins with. */
export async function checkPermissions(
  host: Host,
  { trusted }: LoadedSettings,
): Promise<readonly Check[]> {
  const path = userSettingsPath(host);
  const checks = LISTS.map(async (key) => {
    const mistake = ruleMistake(trusted[key]);
    if (mistake === undefined || path === undefined) return [];
    const { platform, home } = host;
    const where = shownPath(host, path);
    const place = await locateSetting({ path, key, platform, home });
    const message = `${key}: ${mistake}`;
    return [
      problem(
        "permissions",
        renderDiagnostic({ code: "WRONG_TYPE", path: where, ...place, message }),
        `Mend that line, or take it out: caliban settings unset ${key}`,
      ),
    ];
  });
  return (await Promise.all(checks)).flat();
}
