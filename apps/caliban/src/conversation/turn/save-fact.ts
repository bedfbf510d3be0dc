import { createToolRunner, type Tool, type ToolResult } from "@caliban/agent-core";
import { type CommandMessage, isRecord } from "@caliban/common";
import { remember } from "@caliban/providers/offline";
import { liftForgotten } from "./lift-forgotten.ts";
import { type ConversationSetup, type ConversationState, policyOf } from "./state.ts";

/** What became of a fact that the user wants remembered. */
export interface SavedFact {
  readonly isSaved: boolean;
  readonly message: CommandMessage;
}

/**
 * Saves a fact with the memory tools, without a model. Rules that deny them apply; nothing else is asked, because the user
 * typed the text. What the conversation has read does not matter either: none of it is in the text.
 */
export async function saveFact(
  state: ConversationState,
  { view }: Pick<ConversationSetup, "view">,
  fact: string,
): Promise<SavedFact> {
  const tools = memoryTools(state);
  if (!tools.some(({ name }) => name === "WriteMemoryTopic"))
    return { isSaved: false, message: OFF };
  await liftForgotten(state, fact);
  const runner = createToolRunner({
    tools,
    session: state.log.id,
    policy: () => ({ ...policyOf(state), mode: "default" }),
    ask: async () => "once",
    // The answer says what was saved; anything else is news.
    notify: (notice) => notice.kind !== "memory" && view.notify(notice),
  });
  runner.onUserMessage(`Remember this: ${fact}`);
  const names = new Set(tools.map(({ name }) => name));
  const turn = { tools: names, hasUserScope: tools.some(takesScope) };
  const steps: Parameters<typeof remember>[1]["steps"][number][] = [];
  for (;;) {
    const move = remember(fact, { ...turn, steps });
    if (move.kind === "say") {
      const message = typeof move.text === "string" ? { message: move.text } : move.text;
      return { isSaved: move.isRefused !== true, message };
    }
    for (const call of move.calls) steps.push(toStep(call.name, await runner.run(call)));
  }
}

const OFF: CommandMessage = {
  message:
    "nothing was saved: memory is off here, because of --no-memory, --bare, memory.auto, memory.write or a rule that denies it",
};

function memoryTools({ agent }: ConversationState): readonly Tool[] {
  return agent.tools.filter(({ permission }) => permission.startsWith("memory."));
}

/** Tools without a scope have no memory about the user. */
function takesScope({ name, inputSchema: { properties } }: Tool): boolean {
  return name === "WriteMemoryTopic" && isRecord(properties) && "scope" in properties;
}

function toStep(
  name: string,
  { text, isError = false, data }: ToolResult,
): Parameters<typeof remember>[1]["steps"][number] {
  return { name, text, isError, data: isRecord(data) ? data : {} };
}
