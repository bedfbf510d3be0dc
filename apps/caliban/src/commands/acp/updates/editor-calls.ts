import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentEvent, SubagentEvent } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import type { createShownMemory } from "../../../conversation/notes/note-reader.ts";
import { type CallWorkspace, describeCall } from "./describe-call.ts";
import { fenced, textContent } from "./fence.ts";
import { planEntries } from "./plan-entries.ts";

type CallEvent = Extract<AgentEvent, { readonly type: "tool-call" }>;
type ProgressEvent = Extract<AgentEvent, { readonly type: "tool-progress" }>;
type ResultEvent = Extract<AgentEvent, { readonly type: "tool-result" }>;

export interface EditorCallsInput {
  readonly update: (update: SessionUpdate) => void;
  readonly workspace: CallWorkspace;
  readonly memory: ReturnType<typeof createShownMemory>;
  readonly say: (line: string) => void;
}

/** The calls of the agent and of its subagents. */
export interface EditorCalls {
  readonly start: (event: CallEvent, agent?: SubagentEvent) => void;
  readonly progress: (event: ProgressEvent) => void;
  readonly finish: (event: ResultEvent, agent?: SubagentEvent) => void;
  /** The id of the running call that the user is asked about; `undefined` if it is not shown. */
  readonly find: (name: string, input?: unknown) => string | undefined;
}

export function createEditorCalls(input: EditorCallsInput): EditorCalls {
  const { update, workspace, memory, say } = input;
  const running = new Map<string, Pick<CallEvent, "name" | "input">>();
  return {
    start: (event, agent) => {
      const { name, input: given } = event;
      const toolCallId = callId(event, agent);
      running.set(toolCallId, { name, input: given });
      if (name === "TodoWrite") return;
      const described = describeCall({ name, input: given }, workspace, { isPlanned: true });
      const who = agent === undefined ? "" : `${terminalSafeLine(agent.agent)}: `;
      update({
        sessionUpdate: "tool_call",
        toolCallId,
        name,
        ...described,
        title: `${who}${described.title}`,
        status: "in_progress",
      });
    },
    progress: ({ id, text }) =>
      update({
        sessionUpdate: "tool_call_update",
        toolCallId: id,
        status: "in_progress",
        content: [textContent(fenced(text))],
      }),
    finish: (event, agent) => {
      const toolCallId = callId(event, agent);
      const call = running.get(toolCallId);
      running.delete(toolCallId);
      if (event.name !== "TodoWrite") {
        const shown = memory.inResult(event.text);
        update(resultUpdate({ ...event, text: shown.text }, toolCallId));
        if (shown.sources.length > 0) say(`memory: ${shown.sources.join(", ")}`);
        return;
      }
      const entries = event.isError || agent !== undefined ? undefined : planEntries(call?.input);
      if (entries !== undefined) update({ sessionUpdate: "plan", entries });
    },
    find: (name, given) =>
      [...running].findLast(
        ([, call]) => call.name === name && (given === undefined || call.input === given),
      )?.[0],
  };
}

/** Ids of calls are only unique for one agent. */
function callId({ id }: { readonly id: string }, agent: SubagentEvent | undefined): string {
  return agent === undefined ? id : `agent-${agent.number}-${id}`;
}

function resultUpdate({ name, text, isError }: ResultEvent, toolCallId: string): SessionUpdate {
  // The diff says more than the result.
  const isDiff = !isError && (name === "Edit" || name === "Write");
  const hasText = !isDiff && text.trim() !== "";
  return {
    sessionUpdate: "tool_call_update",
    toolCallId,
    status: isError ? "failed" : "completed",
    ...(hasText ? { content: [textContent(fenced(text))] } : {}),
  };
}
