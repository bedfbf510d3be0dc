import type { AgentEvent, SubagentEvent } from "../loop/agent-event.ts";
import { withModelName } from "../loop/turn-model.ts";
import type { ToolContext } from "../tool.ts";
import type { SubagentEffort } from "./subagent-result.ts";
import type { Subagent } from "./subagent-tool.ts";

/** Counts what a subagent does, and shows it. */
interface SubagentWatch {
  readonly emit: (event: AgentEvent) => void;
  readonly effort: () => SubagentEffort;
  /** Says that its tokens are used up. */
  readonly exceeded: () => string | undefined;
}

interface SubagentWatchInput {
  readonly subagent: Subagent;
  readonly agent: string;
  readonly number: number;
  readonly context: Pick<ToolContext, "progress">;
  readonly emit?: ((event: SubagentEvent) => void) | undefined;
}

export function createSubagentWatch(input: SubagentWatchInput): SubagentWatch {
  const { subagent, agent, number, context, emit } = input;
  const { modelName: model } = withModelName(subagent);
  const { maxTokens = Infinity } = subagent;
  let [steps, calls, tokens] = [0, 0, 0];
  let activity = "";
  const observe = (event: AgentEvent): void => {
    if (event.type === "step-start") [steps, activity] = [event.step, "thinking"];
    if (event.type === "tool-call") [calls, activity] = [calls + 1, event.name];
    if (event.type === "retry") activity = "waiting for the model";
    if (event.type === "usage") tokens += event.usage.inputTokens + event.usage.outputTokens;
  };
  return {
    emit: (event) => {
      observe(event);
      if (PROGRESS.has(event.type)) {
        const shown = [`step ${steps}`, activity, `${formatCount(tokens)} tokens`];
        context.progress?.({ text: shown.join(" · "), lines: 1 });
      }
      if (isPassedOn(event)) emit?.({ type: "subagent", agent, number, model, event });
    },
    effort: () => ({ steps, calls, tokens }),
    exceeded: () =>
      tokens < maxTokens
        ? undefined
        : `it used ${formatCount(tokens)} of its ${formatCount(maxTokens)} tokens`,
  };
}

const PROGRESS: ReadonlySet<string> = new Set(["step-start", "tool-call", "usage", "retry"]);

const PASSED_ON: ReadonlySet<string> = new Set<SubagentEvent["event"]["type"]>([
  "usage",
  "retry",
  "tool-call",
  "tool-result",
  "message",
  "notice",
]);

function isPassedOn(event: AgentEvent): event is SubagentEvent["event"] {
  return PASSED_ON.has(event.type);
}

function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
