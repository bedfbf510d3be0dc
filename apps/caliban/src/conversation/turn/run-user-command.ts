import { createToolRunner, type Message } from "@caliban/agent-core";
import { renderUserCommand } from "@caliban/common";
import { UsageError } from "../../usage-error.ts";
import { emitTo } from "./emit.ts";
import {
  type ConversationSetup,
  type ConversationState,
  renewRunner,
  secretMask,
} from "./state.ts";

const TOOL = "Bash";
/** The longest that the tool allows: the user can stop it at any time. */
const TIMEOUT_MS = 600_000;

/**
 * Runs a command of the user where the agent's commands run, with its output on the screen. The model reads it with the
 * next message. No rule and no mode is asked, because they are about the agent.
 * @throws UsageError if this conversation has no commands
 */
export async function runUserCommand(
  state: ConversationState,
  setup: ConversationSetup,
  { command, signal }: { readonly command: string; readonly signal: AbortSignal },
): Promise<void> {
  const { view, clock } = setup;
  const { agent, log } = state;
  const tool = [...agent.tools, ...agent.deniedTools].find(({ name }) => name === TOOL);
  if (tool === undefined) throw new UsageError("commands are not available in this conversation");
  const runner = createToolRunner({
    tools: [tool],
    session: log.id,
    mask: secretMask(agent),
    notify: view.notify,
    ask: async () => "once",
  });
  const call = { id: `user-command-${state.messages.length}`, name: TOOL };
  const startedMs = clock.nowMs();
  view.emit({ type: "tool-call", ...call, input: { command } });
  const result = await runner.run({
    name: TOOL,
    input: { command, timeout_ms: TIMEOUT_MS },
    signal,
    onProgress: (progress) => view.emit({ type: "tool-progress", id: call.id, ...progress }),
  });
  const { text: output, isError = false, data } = result;
  const durationMs = clock.nowMs() - startedMs;
  view.emit({ type: "tool-result", ...call, text: output, isError, data, durationMs });
  const text = renderUserCommand({ command, output, isError });
  const message: Message = { role: "user", text };
  state.messages = [...state.messages, message];
  emitTo(state, setup)({ type: "message", message });
  // What the command printed counts as text of others from now on.
  renewRunner(state, setup);
}
