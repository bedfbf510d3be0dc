import {
  agent,
  type AgentApp,
  type InitializeRequest,
  PROTOCOL_VERSION,
} from "@agentclientprotocol/sdk";
import type { Invocation } from "../../command.ts";
import { AUTH_METHODS, type Authentication } from "./authentication.ts";
import { createAnswering, invalidParams } from "./protocol/request-error.ts";
import { configOptionsOf, isMode, isModelOption, modesOf } from "./session/editor-modes.ts";
import type { EditorSession } from "./session/editor-session.ts";
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
  const { host, sessions, authentication, onInitialize } = input;
  const answering = createAnswering({ command: host.command, report: input.report });
  const app = agent({ name: "caliban" })
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
      "session/delete",
      answering(async ({ params }) => {
        await sessions.remove(params.sessionId);
        return {};
      }),
    );
  const withSessions = answerOpening(app, input, answering);
  const withPrompts = answerPrompts(withSessions, input, answering);
  return answerChanges(withPrompts, input, answering);
}

type Answering = ReturnType<typeof createAnswering>;

const CAPABILITIES = {
  loadSession: true,
  promptCapabilities: { image: true, audio: false, embeddedContext: false },
  mcpCapabilities: { http: false, sse: false },
  sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
};

/** New sessions and stored ones. */
function answerOpening(
  app: AgentApp,
  { sessions, report }: AgentAppInput,
  answering: Answering,
): AgentApp {
  const opened = (session: EditorSession, servers: readonly NamedServer[]): SessionState => {
    // After the response: an editor does not know the session before.
    setImmediate(() => {
      session.announce(unusedServers(servers)).catch((error: unknown) => report(String(error)));
    });
    const { conversation } = session;
    return { modes: modesOf(conversation), configOptions: configOptionsOf(conversation) };
  };
  return app
    .onRequest(
      "session/new",
      answering(async ({ params }) => {
        const session = await sessions.create(params);
        return { sessionId: session.id, ...opened(session, params.mcpServers) };
      }),
    )
    .onRequest(
      "session/load",
      answering(async ({ params }) => {
        const session = await sessions.resume(params);
        session.replay();
        return opened(session, params.mcpServers);
      }),
    )
    .onRequest(
      "session/resume",
      answering(async ({ params }) =>
        opened(await sessions.resume(params), params.mcpServers ?? []),
      ),
    );
}

interface SessionState {
  readonly modes: ReturnType<typeof modesOf>;
  readonly configOptions: ReturnType<typeof configOptionsOf>;
}

interface NamedServer {
  readonly name: string;
}

/** Only the user's settings decide which servers start. */
function unusedServers(servers: readonly NamedServer[]): readonly string[] {
  if (servers.length === 0) return [];
  const names = servers.map(({ name }) => name).join(", ");
  return [`MCP servers of the editor are not used: ${names}. Add them with: caliban mcp add`];
}

function answerPrompts(
  app: AgentApp,
  { sessions, report }: AgentAppInput,
  answering: Answering,
): AgentApp {
  return app
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
    .onNotification("session/cancel", ({ params }) => {
      try {
        sessions.require(params.sessionId).cancel();
      } catch (error) {
        // A session that has ended has nothing to cancel, and a notification has no answer.
        report(error instanceof Error ? error.message : String(error));
      }
    });
}

/** What the user changes about a session besides prompts. */
function answerChanges(app: AgentApp, { sessions }: AgentAppInput, answering: Answering): AgentApp {
  return app
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
    );
}
