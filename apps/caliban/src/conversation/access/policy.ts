import {
  parsePermissionRule,
  type PermissionMode,
  type PermissionPolicy,
  type PolicyRule,
} from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { renderProblem } from "@caliban/settings";
import { type LoadedSettings, locateSetting } from "@caliban/settings/node";
import type { Project } from "../../project/project.ts";
import { UsageError } from "../../usage-error.ts";

type List = "allow" | "ask" | "deny";

export interface LoadedPolicy {
  readonly policy: PermissionPolicy;
  /** Rules of the repository that are none: said, and left out. */
  readonly warnings: readonly string[];
}

/**
 * What decides over the tools of a session: the settings, the ladder for notes, and the command line.
 * @throws UsageError for a rule of the person's own that is none
 */
export async function loadPolicy(
  { environment, options, settings }: Pick<Project, "environment" | "options" | "settings">,
  mode?: PermissionMode,
): Promise<LoadedPolicy> {
  const warnings: string[] = [];
  const mistakes: Mistake[] = [];
  const rules = (list: List): readonly PolicyRule[] => [
    ...ownRules(settings, list, mistakes),
    ...repositoryRules(settings, list, warnings),
    ...ladderRules(settings, list),
    ...options.permissions[list].map((text) => parseRule(text, `--${list}`)),
  ];
  const policy: PermissionPolicy = {
    allow: rules("allow"),
    ask: rules("ask"),
    deny: rules("deny"),
    mode: mode ?? settings.trusted["permissions.mode"],
  };
  const [mistake] = mistakes;
  if (mistake !== undefined) throw await locatedMistake(mistake, environment);
  return { policy, warnings };
}

/** A line of the person's own settings that is no rule. */
interface Mistake {
  readonly list: List;
  readonly path: string;
  readonly sentence: string;
}

function ownRules(
  { trusted, effective }: LoadedSettings,
  list: List,
  mistakes: Mistake[],
): readonly PolicyRule[] {
  const source = whereSet(effective, list, "user");
  return trusted[`permissions.${list}`].flatMap((text) => {
    const parsed = parsePermissionRule(text);
    if ("rule" in parsed) return [{ ...parsed.rule, source }];
    mistakes.push({ list, path: source, sentence: noRule(text, parsed.problem) });
    return [];
  });
}

/** A mistake of the person's own is not passed over: a rule they rely on may stand in it. */
async function locatedMistake(
  { list, path, sentence }: Mistake,
  { platform, home }: Project["environment"],
): Promise<UsageError> {
  const key = `permissions.${list}` as const;
  const place = await locateSetting({ path, key, platform, home });
  const message = `${key}: ${sentence}`;
  return new UsageError(renderProblem({ code: "WRONG_TYPE", where: path, ...place, message }));
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

/** Of a flag, whose mistakes are the person's own, too. */
function parseRule(text: string, source: string): PolicyRule {
  const parsed = parsePermissionRule(text);
  if ("rule" in parsed) return { ...parsed.rule, source };
  throw new UsageError(`${source}: ${noRule(text, parsed.problem)}`);
}

function noRule(text: string, problem: string): string {
  return `${JSON.stringify(text)} is no permission rule: ${problem}`;
}
