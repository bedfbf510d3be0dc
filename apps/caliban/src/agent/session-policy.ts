import {
  parsePermissionRule,
  type PermissionMode,
  type PermissionPolicy,
  type PolicyRule,
} from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import type { LoadedSettings } from "@caliban/settings/node";
import type { Invocation } from "../command.ts";
import { UsageError } from "../usage-error.ts";

type List = "allow" | "ask" | "deny";

/** What the command line says about permissions. */
export interface PolicyInput extends Pick<Invocation, "permissions"> {
  /** Before what the person's settings say. */
  readonly mode?: PermissionMode | undefined;
}

export interface SessionPolicy {
  readonly policy: PermissionPolicy;
  /** Rules of the repository that are none: said, and left out. */
  readonly warnings: readonly string[];
}

/** What decides over the tools of a session: the settings, the ladder for notes, and the command line. */
export function sessionPolicy(
  { permissions, mode }: PolicyInput,
  settings: LoadedSettings,
): SessionPolicy {
  const warnings: string[] = [];
  const rules = (list: List): readonly PolicyRule[] => [
    ...ownRules(settings, list),
    ...repositoryRules(settings, list, warnings),
    ...ladderRules(settings, list),
    ...permissions[list].map((text) => parseRule(text, `--${list}`)),
  ];
  const policy: PermissionPolicy = {
    allow: rules("allow"),
    ask: rules("ask"),
    deny: rules("deny"),
    mode: mode ?? settings.trusted["permissions.mode"],
  };
  return { policy, warnings };
}

function ownRules({ trusted, effective }: LoadedSettings, list: List): readonly PolicyRule[] {
  const source = whereSet(effective, list, "user");
  return trusted[`permissions.${list}`].map((text) => parseRule(text, source));
}

/** The repository's come after the person's own. One that is no rule must not keep anybody from working. */
function repositoryRules(
  { values, trusted, effective }: LoadedSettings,
  list: List,
  warnings: string[],
): readonly PolicyRule[] {
  const source = whereSet(effective, list, "project");
  const own = trusted[`permissions.${list}`].length;
  return values[`permissions.${list}`].slice(own).flatMap((text) => {
    const parsed = parsePermissionRule(text);
    if ("rule" in parsed) return [{ ...parsed.rule, source }];
    warnings.push(
      terminalSafeLine(`${source}: ${JSON.stringify(text)} is ignored: ${parsed.problem}`),
    );
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

/** `[memory] write`: what changes notes is asked about, or not done at all. */
const LADDER: Readonly<Record<"allow" | "ask" | "off", List | undefined>> = {
  allow: undefined,
  ask: "ask",
  off: "deny",
};

function ladderRules({ values }: LoadedSettings, list: List): readonly PolicyRule[] {
  const rung = values["memory.write"];
  if (LADDER[rung] !== list) return [];
  const source = `[memory] write = "${rung}"`;
  return ["memory.write", "memory.delete"].map((text) => parseRule(text, source));
}

/** A mistake of the person's own is not passed over: a rule they rely on may stand in it. */
function parseRule(text: string, source: string): PolicyRule {
  const parsed = parsePermissionRule(text);
  if ("rule" in parsed) return { ...parsed.rule, source };
  throw new UsageError(
    `${source}: ${JSON.stringify(text)} is no permission rule: ${parsed.problem}`,
  );
}
