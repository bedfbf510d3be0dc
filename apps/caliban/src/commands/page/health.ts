import { spellCommands } from "@caliban/common";
import { diagnoseTopics, repairTopics } from "@caliban/memory/node";
import type { Health, MemoryPageData, PageScope } from "@caliban/page";
import type { Invocation } from "../../command.ts";
import { formatCount } from "../format-count.ts";
import { openTopics, openTopicsForWriting } from "../memory/topics/open-topics.ts";
import { findUnusedTopics } from "../memory/topics/unused-topics.ts";
import { inScope } from "./scoped-invocation.ts";

/** Checks and repairs the topics, as `caliban memory doctor` does. */
export function createHealth(invocation: Invocation): Pick<MemoryPageData, "health" | "repair"> {
  const { command } = invocation.host;
  const findings = async (scope: PageScope): Promise<Health["findings"]> => {
    const topics = await openTopics(inScope(invocation, scope));
    const found = await diagnoseTopics(topics);
    return found.map((finding) =>
      Object.assign({}, finding, { message: spellCommands(finding, command), scope }),
    );
  };
  return {
    health: async () => {
      const both = await Promise.all([findings("project"), findings("user")]);
      const topics = await openTopics(inScope(invocation, "project"));
      const { slugs } = await findUnusedTopics(topics, invocation.host);
      return { findings: both.flat(), unused: slugs };
    },
    repair: async (scope) => {
      const topics = await openTopicsForWriting(inScope(invocation, scope));
      const repaired = await repairTopics(topics);
      const fixed = repaired.filter(({ isFixed }) => isFixed).length;
      return {
        kind: "done",
        message: `fixed ${fixed} of ${formatCount(repaired.length, "problem")}`,
      };
    },
  };
}
