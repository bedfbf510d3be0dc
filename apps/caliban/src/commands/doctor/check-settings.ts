import { renderDiagnostic, type SettingsDiagnostic, isSettingsError } from "@caliban/settings";
import { locateSetting, userSettingsPath } from "@caliban/settings/node";
import type { Invocation } from "../../command.ts";
import type { Host } from "../../host.ts";
import { openProject, type Project } from "../../project/project.ts";
import { findInvalidRule } from "../settings/check-rules.ts";
import { abbreviatePath } from "../user-paths.ts";
import { type Check, note, ok, problem } from "./check.ts";

/** Opens the project, unless its settings are invalid, which must be fixed first. */
export async function tryOpenProject(
  invocation: Invocation,
): Promise<{ readonly project: Project } | { readonly problems: readonly Check[] }> {
  try {
    return { project: await openProject(invocation) };
  } catch (error) {
    if (!isSettingsError(error)) throw error;
    const remedy = "Fix this line; caliban cannot start until then.";
    const problems = error.problems.map((each) =>
      problem("settings", render(invocation.host, each), remedy),
    );
    return { problems };
  }
}

const RULE_LISTS = ["permissions.allow", "permissions.ask", "permissions.deny"] as const;

/** Reports warnings, and invalid permission rules in the user's own settings: no conversation starts with one. */
export async function checkSettings(host: Host, { settings }: Project): Promise<readonly Check[]> {
  const { warnings, trusted } = settings;
  const checks = warnings.map((warning) => note("settings", render(host, warning)));
  const rules = RULE_LISTS.map(async (key) => await checkRules(host, key, trusted[key]));
  return [
    ...(checks.length === 0 ? [ok("settings", "valid")] : checks),
    ...(await Promise.all(rules)).flat(),
  ];
}

async function checkRules(
  host: Host,
  key: (typeof RULE_LISTS)[number],
  rules: readonly string[],
): Promise<readonly Check[]> {
  const path = userSettingsPath(host);
  const invalid = findInvalidRule(rules);
  if (invalid === undefined || path === undefined) return [];
  const { platform, home } = host;
  const location = await locateSetting({ path, key, platform, home });
  const message = `${key}: ${invalid}`;
  const remedy = `Fix this line, or remove the list: ${host.command(`settings unset ${key}`)}`;
  const diagnostic = { code: "WRONG_TYPE", path, ...location, message } as const;
  return [problem("permissions", render(host, diagnostic), remedy)];
}

function render(host: Host, diagnostic: SettingsDiagnostic): string {
  const path = diagnostic.path && abbreviatePath(host, diagnostic.path);
  return renderDiagnostic({ ...diagnostic, path }, host.command);
}
