import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  client,
  type ClientConnection,
  type ContentBlock,
  type InitializeResponse,
  ndJsonStream,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type Stream,
} from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import type { Ended, TestHome } from "./run-caliban.ts";

/** Chooses one of the offered options by the start of its label, or dismisses the question. */
type Answer = (
  question: RequestPermissionRequest,
) => string | undefined | Promise<string | undefined>;

export interface EditorInput {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly answer?: Answer;
  readonly showsNotices?: boolean;
}

/** A process of `caliban acp`, and the SDK's client that drives it as an editor does. */
export interface Editor {
  readonly agent: ClientConnection["agent"];
  readonly initialized: InitializeResponse;
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** The project `~/app`. */
  readonly cwd: string;
  /** The updates that arrived, in order. */
  readonly updates: SessionUpdate[];
  readonly questions: readonly RequestPermissionRequest[];
  readonly open: () => Promise<NewSessionResponse>;
  readonly prompt: (
    sessionId: string,
    content: string | readonly ContentBlock[],
  ) => Promise<PromptResponse>;
  /** The text of the answers so far. */
  readonly text: () => string;
  /** Resolves with the first update that matches, also one that arrived before. */
  readonly seen: (matches: (update: SessionUpdate) => boolean) => Promise<SessionUpdate>;
}

/** Starts `caliban acp` in `~/app` and initializes the connection. */
export async function startEditor(user: TestHome, input: EditorInput = {}): Promise<Editor> {
  const { args = [], env = {}, answer = () => "No", showsNotices = false } = input;
  const { child, ended } = user.start(["acp", ...args], { isStdinOpen: true, env });
  const updates: SessionUpdate[] = [];
  const questions: RequestPermissionRequest[] = [];
  const listeners = new Set<() => void>();
  const app = client({ name: "test-editor" })
    .onNotification("session/update", ({ params }) => {
      updates.push(params.update);
      for (const listener of listeners) listener();
    })
    .onRequest(
      "session/request_permission",
      async ({ params }): Promise<RequestPermissionResponse> => {
        questions.push(params);
        const label = await answer(params);
        const option =
          label === undefined
            ? undefined
            : params.options.find(({ name }) => name.startsWith(label));
        return option === undefined
          ? { outcome: { outcome: "cancelled" } }
          : { outcome: { outcome: "selected", optionId: option.optionId } };
      },
    );
  const connection = app.connect(streamOf(child));
  onTestFinished(() => connection.close());
  const { agent } = connection;
  const initialized = await agent.request("initialize", {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: showsNotices ? { session: { notices: {} } } : {},
    clientInfo: { name: "test-editor", version: "1" },
  });
  const cwd = join(user.home, "app");
  return {
    agent,
    initialized,
    child,
    ended,
    cwd,
    updates,
    questions,
    open: async () => await agent.request("session/new", { cwd, mcpServers: [] }),
    prompt: async (sessionId, content) =>
      await agent.request("session/prompt", {
        sessionId,
        prompt: typeof content === "string" ? [{ type: "text", text: content }] : [...content],
      }),
    text: () => textOf(updates),
    seen: async (matches) =>
      await new Promise((resolve) => {
        const look = (): void => {
          const found = updates.find(matches);
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
  };
}

function streamOf({ stdin, stdout }: ChildProcess): Stream {
  if (stdin === null || stdout === null) throw new Error("the process has no pipes");
  const [output, input] = [Writable.toWeb(stdin), Readable.toWeb(stdout)];
  return ndJsonStream(
    output as WritableStream<Uint8Array>,
    input as unknown as ReadableStream<Uint8Array>,
  );
}

/** The text that the agent has written. */
export function textOf(updates: readonly SessionUpdate[]): string {
  return updates
    .map((update) =>
      update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
        ? update.content.text
        : "",
    )
    .join("");
}

/** The updates of one kind. */
export function updatesOf<Kind extends SessionUpdate["sessionUpdate"]>(
  updates: readonly SessionUpdate[],
  kind: Kind,
): readonly Extract<SessionUpdate, { readonly sessionUpdate: Kind }>[] {
  return updates.filter(
    (update): update is Extract<SessionUpdate, { readonly sessionUpdate: Kind }> =>
      update.sessionUpdate === kind,
  );
}

/** The message of a refused request. */
export async function refusal(
  request: Promise<unknown>,
): Promise<{ code: number; message: string }> {
  try {
    await request;
  } catch (error) {
    if (error instanceof Error && "code" in error) {
      return { code: Number(error.code), message: error.message };
    }
    throw error;
  }
  throw new Error("the request was not refused");
}

/** Whether a process exists. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
