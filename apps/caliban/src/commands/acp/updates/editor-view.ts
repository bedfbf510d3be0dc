import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentEvent, Notice, SubagentEvent } from "@caliban/agent-core";
import { spellCommands, type SpellCommand, terminalSafeLine } from "@caliban/common";
import type { createShownMemory } from "../../../conversation/notes/note-reader.ts";
import { type CallWorkspace, describeCall } from "./describe-call.ts";
import { fenced, textContent } from "./fence.ts";
import { planEntries } from "./plan-entries.ts";

export interface EditorViewInput {
  /** Sends an update to the editor. */
  readonly update: (update: SessionUpdate) => void;
  readonly workspace: CallWorkspace;
  readonly memory: ReturnType<typeof createShownMemory>;
  readonly command: SpellCommand;
  /** Whether the editor shows notices apart from the answer. */
  readonly showsNotices: () => boolean;
}

/** Shows a conversation in an editor. */
export interface EditorView {
  readonly emit: (event: AgentEvent) => void;
  readonly notify: (notice: Notice) => void;
  readonly say: (line: string) => void;
  /** The id of the running call that the user is asked about; `undefined` if it is not shown. */
  readonly findCall: (name: string, input?: unknown) => string | undefined;
}

type ToolResultEvent = Extract<AgentEvent, { readonly type: "tool-result" }>;

/** Turns the events of a conversation into updates of the protocol, in order. */
export function createEditorView(input: EditorViewInput): EditorView {
  const { update, workspace, memory, command, showsNotices } = input;
  const calls = new Map<string, { readonly name: string; readonly input: unknown }>();
  const messages = { count: 0 };
  const messageId = (): string => `message-${messages.count}`;
  const say = (line: string): void => {
    const title = terminalSafeLine(line);
    if (showsNotices()) {
      return update({ sessionUpdate: "notice", severity: "info", title });
    }
    // Without notices, a line of its own in the answer. What follows is another message.
    messages.count += 1;
    const text = `> ${title}\n\n`;
    const content = { type: "text", text } as const;
    update({ sessionUpdate: "agent_message_chunk", messageId: messageId(), content });
    messages.count += 1;
  };
  const showCall = (
    { id, name, input: given }: Extract<AgentEvent, { readonly type: "tool-call" }>,
    agent: SubagentEvent | undefined,
  ): void => {
    const toolCallId = callId(id, agent);
    calls.set(toolCallId, { name, input: given });
    if (name === "TodoWrite") return;
    const { title, ...described } = describeCall({ name, input: given }, workspace, {
      isPlanned: true,
    });
    update({
      sessionUpdate: "tool_call",
      toolCallId,
      title: agent === undefined ? title : `${terminalSafeLine(agent.agent)}: ${title}`,
      name,
      ...described,
      status: "in_progress",
    });
  };
  const showResult = (
    { id, name, text, isError }: ToolResultEvent,
    agent: SubagentEvent | undefined,
  ): void => {
    const toolCallId = callId(id, agent);
    const call = calls.get(toolCallId);
    calls.delete(toolCallId);
    if (name === "TodoWrite") {
      const entries = isError || agent !== undefined ? undefined : planEntries(call?.input);
      if (entries !== undefined) update({ sessionUpdate: "plan", entries });
      return;
    }
    const shown = memory.inResult(text);
    // The diff says more than the result.
    const isDiff = !isError && (name === "Edit" || name === "Write");
    const hasText = !isDiff && shown.text.trim() !== "";
    update({
      sessionUpdate: "tool_call_update",
      toolCallId,
      status: isError ? "failed" : "completed",
      ...(hasText ? { content: [textContent(fenced(shown.text))] } : {}),
    });
    if (shown.sources.length > 0) say(`memory: ${shown.sources.join(", ")}`);
  };
  const emit = (event: AgentEvent, agent?: SubagentEvent): void => {
    switch (event.type) {
      case "step-start":
        messages.count += 1;
        return;
      case "text-delta":
        return update({
          sessionUpdate: "agent_message_chunk",
          messageId: messageId(),
          content: { type: "text", text: event.text },
        });
      case "reasoning-delta":
        return update({
          sessionUpdate: "agent_thought_chunk",
          messageId: `thought-${messages.count}`,
          content: { type: "text", text: event.text },
        });
      case "tool-call":
        return showCall(event, agent);
      case "tool-progress":
        return update({
          sessionUpdate: "tool_call_update",
          toolCallId: event.id,
          status: "in_progress",
          content: [textContent(fenced(event.text))],
        });
      case "tool-result":
        return showResult(event, agent);
      case "message": {
        if (event.message.role !== "user") return;
        const sources = memory.inNote(event.message.note ?? "");
        if (sources.length > 0) say(`memory: recalled ${sources.join(", ")}`);
        return;
      }
      case "notice":
        return say(event.message);
      case "retry":
        // What was shown of the failed answer cannot be taken back.
        return say(
          `${event.failure.message} Retrying (${event.attempt}); the answer starts again.`,
        );
      case "compacted":
        return say(
          `The older part of the conversation was summarized: ${event.beforeTokens} → ${event.afterTokens} tokens.`,
        );
      case "subagent":
        return emit(event.event, event);
      case "usage":
      case "turn-end":
        return;
    }
  };
  return {
    emit: (event) => emit(event),
    notify: (notice) => say(spellCommands(notice, command)),
    say,
    findCall: (name, given) =>
      [...calls].findLast(
        ([, call]) => call.name === name && (given === undefined || call.input === given),
      )?.[0],
  };
}

/** Ids of calls are only unique for one agent. */
function callId(id: string, agent: SubagentEvent | undefined): string {
  return agent === undefined ? id : `agent-${agent.number}-${id}`;
}
