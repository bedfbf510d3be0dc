import {
  type InvalidRule,
  parsePolicy,
  type PermissionMode,
  type PermissionPolicy,
  type PolicyRule,
  type RuleSource,
  withEnforcedRules,
} from "@caliban/agent-core";
import { type Diagnostic, terminalSafeLine } from "@caliban/common";
import { renderDiagnostic, type SettingValues } from "@caliban/settings";
import { type LoadedSettings, locateSetting } from "@caliban/settings/node";
import { enforcedRules, followEnforcedRules } from "../../enforced/enforced-store.ts";
import type { Project } from "../../project/project.ts";
import { UsageError } from "../../usage-error.ts";

/** The rules of a conversation. */
export interface LoadedPolicy {
  readonly policy: PermissionPolicy;
  /** The same as it is now, because the user can add rules and enforced rules during a conversation. */
  readonly current: () => PermissionPolicy;
  /** Always the current rules, for those who keep a policy. */
  readonly live: PermissionPolicy;
  readonly add: (list: RuleSource["list"], rule: PolicyRule) => void;
  /** Invalid rules of the repository, which are ignored. */
  readonly warnings: readonly Diagnostic<"PERMISSION_RULE">[];
}

/**
 * Collects the permission rules from the settings, from `[memory] write`, from the command line, and the enforced ones,
 * which no option turns off.
 * @throws UsageError for an invalid rule of the user, who may rely on it
 */
export async function loadPolicy(
  project: Pick<Project, "environment" | "options" | "settings" | "workspace">,
  mode?: PermissionMode,
): Promise<LoadedPolicy> {
  const { environment, settings } = project;
  const { policy, invalid } = parsePolicy(
    LISTS.flatMap((list) => ruleSources(project, list)),
    mode ?? settings.trusted["permissions.mode"],
  );
  const own = invalid.find(({ source }) => source.owner !== "repository");
  if (own !== undefined) throw await toUsageError(own, environment);
  const enforced = enforcedRules(project);
  const follow = followEnforcedRules(project, enforced);
  let rules = policy;
  const current = (): PermissionPolicy => withEnforcedRules(rules, follow());
  return {
    policy: withEnforcedRules(policy, enforced),
    current,
    live: livePolicy(current),
    add: (list, rule) => {
      rules = { ...rules, [list]: [...rules[list], rule] };
    },
    warnings: invalid.map(toWarning),
  };
}

function livePolicy(current: () => PermissionPolicy): PermissionPolicy {
  return {
    get allow() {
      return current().allow;
    },
    get ask() {
      return current().ask;
    },
    get deny() {
      return current().deny;
    },
    get enforced() {
      return current().enforced;
    },
    get mode() {
      return current().mode;
    },
  };
}

const LISTS = ["allow", "ask", "deny"] as const;

interface OwnedRules extends RuleSource {
  readonly owner: "user" | "repository" | "flag";
}

/** The user's own rules first. */
function ruleSources(
  { options, settings }: Pick<Project, "options" | "settings">,
  list: RuleSource["list"],
): readonly OwnedRules[] {
  const { trusted, values, effective } = settings;
  const own = trusted[`permissions.${list}`];
  const requested = values[`permissions.${list}`].slice(own.length);
  const written = values["memory.write"];
  return [
    { list, owner: "user", source: whereSet(effective, list, "user"), rules: own },
    { list, owner: "repository", source: whereSet(effective, list, "project"), rules: requested },
    {
      list,
      owner: "flag",
      source: `[memory] write = "${written}"`,
      rules: MEMORY_WRITE[written] === list ? ["memory.write", "memory.delete"] : [],
    },
    { list, owner: "flag", source: `--${list}`, rules: options.permissions[list] },
  ];
}

/** Which list the values of `[memory] write` add rules to. */
const MEMORY_WRITE: Readonly<
  Record<SettingValues["memory.write"], RuleSource["list"] | undefined>
> = {
  auto: undefined,
  allow: undefined,
  inbox: undefined,
  ask: "ask",
  off: "deny",
};

function whereSet(
  effective: LoadedSettings["effective"],
  list: RuleSource["list"],
  source: "user" | "project",
): string {
  const origins = effective.find(({ key }) => key === `permissions.${list}`)?.origins ?? [];
  return origins
    .flatMap((origin) => (origin.source === source ? (origin.where ?? []) : []))
    .join(" and ");
}

/** Names the line of a rule in the user's settings. */
async function toUsageError(
  { source: { list, owner, source: path }, text, problem }: InvalidRule<OwnedRules>,
  { platform, home }: Project["environment"],
): Promise<UsageError> {
  const reason = `${JSON.stringify(text)} is not a valid permission rule: ${problem}`;
  if (owner === "flag") return new UsageError(`${path}: ${reason}`);
  const key = `permissions.${list}` as const;
  const location = await locateSetting({ path, key, platform, home });
  const message = `${key}: ${reason}`;
  return new UsageError(renderDiagnostic({ code: "WRONG_TYPE", path, ...location, message }));
}

/** An invalid rule of a repository cannot block work. */
function toWarning({
  source,
  text,
  problem,
}: InvalidRule<OwnedRules>): Diagnostic<"PERMISSION_RULE"> {
  const message = `${source.source}: ${JSON.stringify(text)} is ignored: ${problem}`;
  return { code: "PERMISSION_RULE", message: terminalSafeLine(message) };
}
