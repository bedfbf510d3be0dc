import { type EditUserSettingsInput, userSettingsPath } from "@caliban/settings/node";
import type { Host } from "../../host.ts";
import { UsageError } from "../../usage-error.ts";

/**
 * The user's settings file, for an edit.
 * @throws UsageError when no home directory is known
 */
export function requireSettingsFile(host: Host): Omit<EditUserSettingsInput, "edit"> {
  const path = userSettingsPath(host);
  if (path !== undefined) return { path, platform: host.platform, home: host.home };
  throw new UsageError(
    "no home directory found, so there is no settings file; set HOME or XDG_CONFIG_HOME",
  );
}
