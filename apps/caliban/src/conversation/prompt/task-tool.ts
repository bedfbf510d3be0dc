import {
  createSubagentTool,
  type Subagent,
  type SubagentEvent,
  type SubagentRequest,
  type Tool,
} from "@caliban/agent-core";
import { sanitizeOutput } from "@caliban/memory";

/** What a conversation does for its subagents. */
export interface SubagentHost {
  readonly open: (request: SubagentRequest) => Promise<Subagent | { readonly problem: string }>;
  readonly emit: (event: SubagentEvent) => void;
}

/** What the model calls the model of `models.smol`. It can name no other, because the user chooses what work costs. */
const SMALL_MODEL = "smol";

export interface TaskToolInput {
  /** The conversation, which is created after its tools. */
  readonly host: () => SubagentHost | undefined;
  readonly hasSmallModel: boolean;
}

/** Creates the tool that starts subagents. */
export function createTaskTool({ host, hasSmallModel }: TaskToolInput): Tool {
  return createSubagentTool({
    models: hasSmallModel ? [SMALL_MODEL] : [],
    open: async (request) => (await host()?.open(request)) ?? { problem: NO_CONVERSATION },
    emit: (event) => host()?.emit(event),
    sanitize: sanitizeOutput,
  });
}

const NO_CONVERSATION = "Subagents need a conversation.";
