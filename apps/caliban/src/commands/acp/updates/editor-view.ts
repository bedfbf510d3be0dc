import type { AgentEvent, Message, Notice, SubagentEvent } from "@caliban/agent-core";
import { spellCommands, type SpellCommand } from "@caliban/common";
import { createEditorCalls, type EditorCalls, type EditorCallsInput } from "./editor-calls.ts";
import {
  createEditorMessages,
  type EditorMessages,
  type EditorMessagesInput,
} from "./editor-messages.ts";

export interface EditorViewInput extends Omit<EditorCallsInput, "say">, EditorMessagesInput {
  readonly command: SpellCommand;
}

/** Shows a conversation in an editor. */
export interface EditorView extends Pick<EditorMessages, "say" | "showOutput"> {
  readonly emit: (event: AgentEvent) => void;
  readonly notify: (notice: Notice) => void;
  readonly findCall: EditorCalls["find"];
}

type CallEvent = Extract<
  AgentEvent,
  { readonly type: "tool-call" | "tool-progress" | "tool-result" }
>;

/** Turns the events of a conversation into updates of the protocol, in order. */
export function createEditorView(input: EditorViewInput): EditorView {
  const { memory, command } = input;
  const { next, answer, thought, say, showOutput } = createEditorMessages(input);
  const calls = createEditorCalls({ ...input, say });
  const sayRecalled = (message: Message): void => {
    const note = message.role === "user" ? message.note : undefined;
    const sources = memory.inNote(note ?? "");
    if (sources.length > 0) say(`memory: recalled ${sources.join(", ")}`);
  };
  const emitOther = (event: Exclude<AgentEvent, CallEvent>): void => {
    switch (event.type) {
      case "step-start":
        return next();
      case "text-delta":
        return answer(event.text);
      case "reasoning-delta":
        return thought(event.text);
      case "message":
        return sayRecalled(event.message);
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
  const emit = (event: AgentEvent, agent?: SubagentEvent): void => {
    if (event.type === "tool-call") calls.start(event, agent);
    else if (event.type === "tool-progress") calls.progress(event);
    else if (event.type === "tool-result") calls.finish(event, agent);
    else emitOther(event);
  };
  return {
    emit: (event) => emit(event),
    notify: (notice) => say(spellCommands(notice, command)),
    say,
    showOutput,
    findCall: calls.find,
  };
}
