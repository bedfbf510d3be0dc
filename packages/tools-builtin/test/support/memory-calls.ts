import { createToolRunner, type ToolResult } from "@caliban/agent-core";
import { createMapTopicStore } from "@caliban/memory";
import { createMemoryTools } from "../../src/memory/memory-tools.ts";
import { policyWith, type RuleTexts } from "./rules.ts";

type Call = (name: string, input: unknown) => Promise<ToolResult>;

/** Calls memory tools under rules. Every topic contains the same word, "zebra". */
export function memoryCalls(slugs: readonly string[], rules: RuleTexts): Call {
  const store = createMapTopicStore({
    files: Object.fromEntries(slugs.map((slug) => [`${slug}.md`, topicFile(slug)])),
  });
  const policy = policyWith(rules);
  const tools = createMemoryTools({ store, policy });
  const { run } = createToolRunner({ tools, policy });
  return async (name, input) => await run({ name, input });
}

function topicFile(slug: string): string {
  return `---\nname: ${slug}\ndescription: about ${slug}\nmetadata:\n  type: project\n---\n\nThe zebra of ${slug}.\n`;
}
