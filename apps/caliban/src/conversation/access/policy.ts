import {
  parsePermissionRule,
  type PermissionMode,
  type PermissionPolicy,
  type PolicyRule,
} from "@caliban/agent-core";
import { type Diagnostic, terminalSafeLine } from "@caliban/common";
import { renderDiagnostic } from "@caliban/settings";
import { type LoadedSettings, locateSetting } from "@caliban/settings/node";
import type { Project } from "../../project/project.ts";
import { UsageError } from "../../usage-error.ts";

type List = "allow" | "ask" | "deny";

/** The rules of a conversation. */
export interface LoadedPolicy {
  readonly policy: PermissionPolicy;
  /** Invalid rules of the repository, which are ignored. */
  readonly warnings: readonly Diagnostic<"PERMISSION_RULE">[];
}

/**
 * Collects the permission rules from the settings, from `[memory] write`, and from the command line.
 * @throws UsageError for an invalid rule of the user
 */
export async function loadPolicy(
  { environment, options, settings }: Pick<Project, "environment" | "options" | "settings">,
  mode?: PermissionMode,
): Promise<LoadedPolicy> {
  const warnings: Diagnostic<"PERMISSION_RULE">[] = [];
  const invalid: InvalidRule[] = [];
  const rules = (list: List): readonly PolicyRule[] => [
    ...userRules(settings, list, invalid),
    ...repositoryRules(settings, list, warnings),
    ...memoryWriteRules(settings, list),
    ...options.permissions[list].map((text) => parseRule(text, `--${list}`)),
  ];
  const policy: PermissionPolicy = {
    allow: rules("allow"),
    ask: rules("ask"),
    deny: rules("deny"),
    mode: mode ?? settings.trusted["permissions.mode"],
  };
  const [first] = invalid;
  if (first !== undefined) throw await locatedError(first, environment);
  return { policy, warnings };
}

/** An invalid rule in the user's own settings. */
interface InvalidRule {
  readonly list: List;
  readonly path: string;
  readonly message: string;
}

function userRules(
  { trusted, effective }: LoadedSettings,
  list: List,
  invalid: InvalidRule[],
): readonly PolicyRule[] {
  const source = whereSet(effective, list, "user");
  return trusted[`permissions.${list}`].flatMap((text) => {
    const parsed = parsePermissionRule(text);
    if ("rule" in parsed) return [{ ...parsed.rule, source }];
    invalid.push({ list, path: source, message: formatInvalidRule(text, parsed.problem) });
    return [];
  });
}

/** An invalid rule of the user is never ignored: they may rely on it. */
async function locatedError(
  { list, path, message }: InvalidRule,
  { platform, home }: Project["environment"],
): Promise<UsageError> {
  const key = `permissions.${list}` as const;
  const location = await locateSetting({ path, key, platform, home });
  return new UsageError(
    renderDiagnostic({
      code: "WRONG_TYPE",
      path: path,
      ...location,
      message: `${key}: ${message}`,
    }),
  );
}

/** The repository's rules come after the user's own. An invalid one is ignored, so that it cannot block work. */
function repositoryRules(
  { values, trusted, effective }: LoadedSettings,
  list: List,
  warnings: Diagnostic<"PERMISSION_RULE">[],
): readonly PolicyRule[] {
  const source = whereSet(effective, list, "project");
  const own = trusted[`permissions.${list}`].length;
  return values[`permissions.${list}`].slice(own).flatMap((text) => {
    const parsed = parsePermissionRule(text);
    if ("rule" in parsed) return [{ ...parsed.rule, source }];
    const message = `${source}: ${JSON.stringify(text)} is ignored: ${parsed.problem}`;
    warnings.push({ code: "PERMISSION_RULE", message: terminalSafeLine(message) });
    return [];
  });
}

function whereSet(
  effective: LoadedSettings["effective"],
  list: List,
  source: "user" | "project",
): string {
  const origins = effective.find(({ key }) => key === `permissions.${list}`)?.origins ?? [];
  return origins
    .flatMap((origin) => (origin.source === source ? (origin.where ?? []) : []))
    .join(" and ");
}

/** Which list the values of `[memory] write` add rules to. */
const MEMORY_WRITE: Readonly<Record<"allow" | "ask" | "off", List | undefined>> = {
  allow: undefined,
  ask: "ask",
  off: "deny",
};

function memoryWriteRules({ values }: LoadedSettings, list: List): readonly PolicyRule[] {
  const value = values["memory.write"];
  if (MEMORY_WRITE[value] !== list) return [];
  const source = `[memory] write = "${value}"`;
  return ["memory.write", "memory.delete"].map((text) => parseRule(text, source));
}

/** @throws UsageError for an invalid rule, because flags are the user's own */
function parseRule(text: string, source: string): PolicyRule {
  const parsed = parsePermissionRule(text);
  if ("rule" in parsed) return { ...parsed.rule, source };
  throw new UsageError(`${source}: ${formatInvalidRule(text, parsed.problem)}`);
}

function formatInvalidRule(text: string, problem: string): string {
  return `${JSON.stringify(text)} is not a valid permission rule: ${problem}`;
}
