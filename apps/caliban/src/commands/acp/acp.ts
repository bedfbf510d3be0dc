import type { ClientCapabilities } from "@agentclientprotocol/sdk";
import { terminalSafe } from "@caliban/common";
import { conversationFlags } from "../../cli/conversation-flags.ts";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { listenForInterrupt } from "../interruption.ts";
import { createAgentApp } from "./agent-app.ts";
import { createAuthentication } from "./authentication.ts";
import { createMessageStream } from "./protocol/message-stream.ts";
import { createSessionTable } from "./session/session-table.ts";

/** `caliban acp`: an agent for an editor, until the editor disconnects. */
export async function serveAgent(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  // An invalid option must be reported before the editor connects.
  conversationFlags(invocation);
  const report = (text: string): void => host.stderr(`caliban acp: ${terminalSafe(text)}\n`);
  if (host.inputKind() === "terminal") host.stderr(TERMINAL_HELP);
  const interruption = listenForInterrupt(host);
  const pipe = await host.openPipe();
  let capabilities: ClientCapabilities = {};
  const authentication = createAuthentication(invocation);
  const sessions = createSessionTable({
    invocation,
    client: () => connection.client,
    capabilities: () => capabilities,
    allowsOffline: authentication.allowsOffline,
  });
  const app = createAgentApp({
    host,
    sessions,
    authentication,
    report,
    onInitialize: ({ clientCapabilities = {} }) => {
      capabilities = clientCapabilities;
    },
  });
  const connection = app.connect(createMessageStream(pipe));
  await Promise.race([connection.closed, interruption.ended]);
  // Stops what runs, so that the stored sessions can be resumed.
  await sessions.closeAll();
  connection.close();
  pipe.close();
  interruption.stop();
  return { stdout: "", exitCode: interruption.exitCode() ?? EXIT.done };
}

const TERMINAL_HELP = `caliban acp: this is an agent for editors, which start it and talk to it on stdin and stdout.
  See docs/editors.md for the configuration of Zed, JetBrains and Neovim. Press Ctrl-D to stop.
`;
