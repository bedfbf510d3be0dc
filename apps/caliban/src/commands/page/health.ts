import { spellCommands } from "@caliban/common";
import { indexSize, MAX_BODY_BYTES, MAX_INDEX_BYTES, MAX_INDEX_LINES } from "@caliban/memory";
import { diagnoseTopics, repairTopics } from "@caliban/memory/node";
import { memorySettings } from "@caliban/settings";
import type { HealthFinding, MemoryPageData, MemorySize, PageScope } from "@caliban/page";
import { openProject } from "../../project/project.ts";
import { formatCount } from "../format-count.ts";
import { openTopicsForWriting } from "../memory/topics/open-topics.ts";
import { findUnusedTopics } from "../memory/topics/unused-topics.ts";
import { latestResult } from "./latest-result.ts";
import type { PageContext } from "./page-context.ts";
import { inScope } from "./scoped-invocation.ts";

type HealthData = Pick<MemoryPageData, "findings" | "unused" | "sizes" | "repair">;

/** Checks and repairs the topics, as `caliban memory doctor` does. */
export function createHealth(context: PageContext): HealthData {
  const { invocation, findSecrets } = context;
  const { host } = invocation;
  const findings = async (scope: PageScope): Promise<readonly HealthFinding[]> => {
    const found = await diagnoseTopics({ ...(await context.topics(scope)), findSecrets });
    return found.map((finding) =>
      Object.assign({}, finding, { message: spellCommands(finding, host.command), scope }),
    );
  };
  return {
    // One scope after the other: both at once would only keep others waiting.
    findings: latestResult(async () => [
      ...(await findings("project")),
      ...(await findings("user")),
    ]),
    unused: async () => (await findUnusedTopics(await context.topics("project"), host)).topics,
    sizes: async () => [...(await promptSizes(context)), ...(await topicSizes(context))],
    repair: async (scope) => {
      const topics = await openTopicsForWriting(inScope(invocation, scope));
      const repaired = await repairTopics(topics);
      context.forget();
      const fixed = repaired.filter(({ isFixed }) => isFixed).length;
      return {
        kind: "done",
        message: `fixed ${fixed} of ${formatCount(repaired.length, "problem")}`,
      };
    },
  };
}

/** The prompt and its tiers, against the settings that limit them. */
async function promptSizes({ invocation }: PageContext): Promise<readonly MemorySize[]> {
  const project = await openProject(invocation);
  const { receipt } = await project.memory();
  const { capTokensAuto, capTokensClaudeMd } = memorySettings(project.settings);
  const tokensOf = (...tiers: readonly string[]): number =>
    receipt.entries
      .filter(({ tier, kind }) => kind !== "import" && tiers.includes(tier))
      .reduce((sum, { tokens }) => sum + tokens, 0);
  const effect = "What does not fit is cut, learned memory first.";
  const tiers: readonly (readonly [string, number | undefined, readonly string[]])[] = [
    ["Instruction files", capTokensClaudeMd, ["global", "project"]],
    ["Topic lists and learned memory", capTokensAuto, ["auto"]],
  ];
  return [
    {
      label: "Memory in the prompt",
      value: receipt.totalTokens,
      limit: receipt.ceilingTokens,
      unit: "tokens",
      effect,
    },
    ...tiers.flatMap(([label, limit, names]): readonly MemorySize[] =>
      limit === undefined
        ? []
        : [
            {
              label,
              value: tokensOf(...names),
              limit,
              unit: "tokens",
              effect: "What does not fit is cut from the end.",
            },
          ],
    ),
  ];
}

/** The index and the largest topic of each scope. */
async function topicSizes(context: PageContext): Promise<readonly MemorySize[]> {
  const sizes: MemorySize[] = [];
  for (const scope of ["project", "user"] as const) {
    const { store } = await context.topics(scope);
    const { topics } = await store.list();
    if (topics.length === 0 && scope === "user") continue;
    const { lines, bytes } = indexSize((await store.storedIndex()) ?? "");
    const list = scope === "user" ? "your own topic list" : "the topic list";
    const effect = "Lines beyond the limit are not in the prompt; search still finds their topics.";
    const largest = Math.max(0, ...topics.map((topic) => topic.bytes));
    sizes.push(
      { label: `Lines of ${list}`, value: lines, limit: MAX_INDEX_LINES, unit: "lines", effect },
      { label: `Size of ${list}`, value: bytes, limit: MAX_INDEX_BYTES, unit: "bytes", effect },
      {
        label: scope === "user" ? "Largest topic of your own" : "Largest topic",
        value: largest,
        limit: MAX_BODY_BYTES,
        unit: "bytes",
        effect: "A larger topic is refused.",
      },
    );
  }
  return sizes;
}
