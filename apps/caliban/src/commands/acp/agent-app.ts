import {
  agent,
  type AgentApp,
  type InitializeRequest,
  PROTOCOL_VERSION,
} from "@agentclientprotocol/sdk";
import type { Invocation } from "../../command.ts";
import { AUTH_METHODS, type Authentication } from "./authentication.ts";
import { createAnswering, invalidParams } from "./protocol/request-error.ts";
import { configOptionsOf, isMode, modesOf } from "./session/editor-modes.ts";
import { type EditorSession, isModelOption } from "./session/editor-session.ts";
import type { SessionTable } from "./session/session-table.ts";

export interface AgentAppInput {
  readonly host: Pick<Invocation["host"], "command" | "version">;
  readonly sessions: SessionTable;
  readonly authentication: Authentication;
  readonly report: (text: string) => void;
  readonly onInitialize: (request: InitializeRequest) => void;
}

/** Answers the requests of an editor. */
export function createAgentApp(input: AgentAppInput): AgentApp {
  const { host, sessions, authentication, report, onInitialize } = input;
  const answering = createAnswering({ command: host.command, report });
  /** After the response: an editor does not know the session before. */
  const announce = (session: EditorSession): void => {
    setImmediate(() => {
      session.announce().catch((error: unknown) => report(String(error)));
    });
  };
  return agent({ name: "caliban" })
    .onRequest("initialize", async ({ params }) => {
      onInitialize(params);
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: "caliban", title: "caliban", version: host.version },
        agentCapabilities: CAPABILITIES,
        authMethods: AUTH_METHODS,
      };
    })
    .onRequest(
      "authenticate",
      answering(async ({ params }) => {
        await authentication.authenticate(params.methodId);
        return {};
      }),
    )
    .onRequest(
      "session/new",
      answering(async ({ params }) => {
        const session = await sessions.create(params);
        announce(session);
        reportServers(session, params.mcpServers);
        return { sessionId: session.id, ...stateOf(session) };
      }),
    )
    .onRequest(
      "session/load",
      answering(async ({ params }) => {
        const session = await sessions.resume(params);
        await session.replay();
        announce(session);
        reportServers(session, params.mcpServers);
        return stateOf(session);
      }),
    )
    .onRequest(
      "session/resume",
      answering(async ({ params }) => {
        const session = await sessions.resume(params);
        announce(session);
        reportServers(session, params.mcpServers ?? []);
        return stateOf(session);
      }),
    )
    .onRequest(
      "session/list",
      answering(async ({ params }) => await sessions.list(params)),
    )
    .onRequest(
      "session/close",
      answering(async ({ params }) => {
        sessions.require(params.sessionId);
        await sessions.close(params.sessionId);
        return {};
      }),
    )
    .onRequest(
      "session/prompt",
      answering(async ({ params, signal }) => {
        const session = sessions.require(params.sessionId);
        const cancel = (): void => session.cancel();
        signal.addEventListener("abort", cancel);
        try {
          return await session.prompt(params.prompt);
        } finally {
          signal.removeEventListener("abort", cancel);
        }
      }),
    )
    .onRequest(
      "session/set_mode",
      answering(async ({ params: { sessionId, modeId } }) => {
        const session = sessions.require(sessionId);
        if (!isMode(modeId)) throw invalidParams(`unknown mode: ${JSON.stringify(modeId)}`);
        session.setMode(modeId);
        return {};
      }),
    )
    .onRequest(
      "session/set_config_option",
      answering(async ({ params }) => {
        const session = sessions.require(params.sessionId);
        if (!isModelOption(params.configId) || typeof params.value !== "string") {
          throw invalidParams(`unknown option: ${JSON.stringify(params.configId)}`);
        }
        await session.setModel(params.value);
        return { configOptions: configOptionsOf(session.conversation) };
      }),
    )
    .onNotification("session/cancel", ({ params }) => {
      // A session that has ended has nothing to cancel.
      try {
        sessions.require(params.sessionId).cancel();
      } catch (error) {
        report(error instanceof Error ? error.message : String(error));
      }
    });
}

const CAPABILITIES = {
  loadSession: true,
  promptCapabilities: { image: true, audio: false, embeddedContext: false },
  mcpCapabilities: { http: false, sse: false },
  sessionCapabilities: { list: {}, resume: {}, close: {}, additionalDirectories: {} },
};

function stateOf({ conversation }: EditorSession): {
  readonly modes: ReturnType<typeof modesOf>;
  readonly configOptions: ReturnType<typeof configOptionsOf>;
} {
  return { modes: modesOf(conversation), configOptions: configOptionsOf(conversation) };
}

/** Only the user's settings decide which servers start. */
function reportServers(
  { say }: EditorSession,
  servers: readonly { readonly name: string }[],
): void {
  if (servers.length === 0) return;
  const names = servers.map(({ name }) => name).join(", ");
  setImmediate(() =>
    say(`MCP servers of the editor are not used: ${names}. Add them to caliban: caliban mcp add`),
  );
}
