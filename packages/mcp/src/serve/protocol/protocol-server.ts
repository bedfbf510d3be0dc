import { isMemoryError } from "@caliban/memory";
import { SKILLS_EXTENSION_ID } from "@modelcontextprotocol/core/ext/skills";
import {
  type JSONRPCRequest,
  type Result,
  Server,
  type Transport,
} from "@modelcontextprotocol/server";
import { APPS_EXTENSION } from "../app/memory-app.ts";
import { type Approval, type ApprovalRequest, isApprovalRequest } from "../approval.ts";
import { type ClientView, createClientView, type OpenMemory } from "../client-view.ts";
import { DISCOVER_TTL_MS, withCacheFields } from "./cache-fields.ts";
import { guardTransport, OLD_NOT_FOUND } from "./guard-transport.ts";
import { type InstructionsInput, renderInstructions } from "../instructions.ts";
import { PROTOCOL_CODE, ProtocolError, isProtocolError } from "../protocol-error.ts";
import { createQuestions, type Questions } from "./questions.ts";
import { connectedClient, type RequestClient, requestClient } from "./request-client.ts";
import type { RequestQueue } from "./request-queue.ts";
import { parseRequest } from "./requests.ts";
import {
  type ResourceEvents,
  type ResourceWatch,
  watchResources,
} from "../resources/watch-resources.ts";
import type { ServedMemory } from "../served-memory.ts";

export interface ProtocolServerInput {
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly version?: string | undefined;
  readonly instructions: InstructionsInput;
  /** Opens the memory once the client has connected, because its roots may decide which one. */
  readonly open: (client: Server) => Promise<OpenMemory>;
  readonly requests: RequestQueue;
  /** Receives one-line messages for the operator of the server. */
  readonly report: (message: string) => void;
  /** The lines to report for a problem that the user can fix; `undefined` for a bug. */
  readonly describeProblem?: ((error: unknown) => readonly string[] | undefined) | undefined;
}

/** The server of one client, or of one request of it. */
export type MemoryServer = Server & {
  /**
   * Notifies of changes until the watch or the server is closed. For transports: they alone know what a client asked for
   * with `subscriptions/listen`.
   */
  readonly watch: (events: ResourceEvents) => Promise<ResourceWatch>;
};

const CAPABILITIES = {
  tools: {},
  resources: { subscribe: true, listChanged: true },
  prompts: {},
  completions: {},
  extensions: { [SKILLS_EXTENSION_ID]: {}, [APPS_EXTENSION]: {} },
};

/** Creates the server of one client, to be connected to a transport. */
export function createProtocolServer(input: ProtocolServerInput): MemoryServer {
  const { name = "caliban", title = "caliban memory", version = "0.0.0", report } = input;
  const server = new Server(
    { name, title, version },
    {
      capabilities: CAPABILITIES,
      instructions: renderInstructions(input.instructions),
      cacheHints: { "server/discover": { ttlMs: DISCOVER_TTL_MS, cacheScope: "private" } },
    },
  );
  const closers: (() => void)[] = [];
  let opening: Promise<OpenMemory> | undefined;
  let viewing: Promise<ClientView> | undefined;
  const open = (): Promise<OpenMemory> => (opening ??= openReported(server, input));
  const view = (client: ViewedClient): Promise<ClientView> =>
    (viewing ??= openView({ server, client, open: open(), closers }));
  server.oninitialized = () => {
    view(connectedClient(server)).catch(() => undefined);
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
  server.onclose = () => {
    for (const close of closers.splice(0)) close();
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
  server.onerror = ({ message }) =>
    report(`ignored an invalid message from the client: ${message}`);
  server.setNotificationHandler("notifications/roots/list_changed", () =>
    report("the client changed its roots; still serving the project it connected to"),
  );
  // Gets every request that the SDK does not answer itself, unparsed, so that it is validated once.
  server.fallbackRequestHandler = async (request, context) => {
    const client = requestClient(server, context);
    const answering = answerRequest(request, {
      ...input,
      view: () => view(client),
      signal: context.mcpReq.signal,
      questions: createQuestions({ server, client, request, context }),
    });
    return client.isStateless
      ? withCacheFields(request.method, await answering)
      : await withOldErrors(answering);
  };
  const connect = server.connect.bind(server);
  return Object.assign(server, {
    connect: async (transport: Transport) => {
      // Since 2026-07-28, requests have no order, and the SDK knows the revision before the connection.
      const isOld = server.getNegotiatedProtocolVersion() === undefined;
      await connect(isOld ? guardTransport(transport) : transport);
    },
    watch: async (events: ResourceEvents) => {
      const watch = watchResources(await open(), events);
      closers.push(watch.close);
      return watch;
    },
  });
}

async function withOldErrors(answering: Promise<Result>): Promise<Result> {
  try {
    return await answering;
  } catch (error) {
    if (!isProtocolError(error) || error.code !== PROTOCOL_CODE.resourceNotFound) throw error;
    throw new ProtocolError(OLD_NOT_FOUND, error.message, error.data);
  }
}

type ViewedClient = Pick<RequestClient, "name" | "isStateless" | "showsApps">;

interface OpenViewInput {
  readonly server: Server;
  readonly client: ViewedClient;
  readonly open: Promise<OpenMemory>;
  /** Called when the client disconnects. */
  readonly closers: (() => void)[];
}

/** A client from before 2026-07-28 is notified without asking, and subscribes to one resource after the other. */
async function openView({ server, client, open, closers }: OpenViewInput): Promise<ClientView> {
  const opened = await open;
  const { name: clientName, showsApps } = client;
  if (client.isStateless) return createClientView({ ...opened, clientName, showsApps });
  const { subscriptions, close } = watchResources(opened, {
    notifyUpdate: async (uri) => await server.sendResourceUpdated({ uri }),
    notifyList: async () => await server.sendResourceListChanged(),
  });
  closers.push(close);
  return createClientView({ ...opened, subscriptions, clientName, showsApps });
}

/** A problem of opening is the user's to fix. It may mention paths, so the client is not told. */
async function openReported(server: Server, input: ProtocolServerInput): Promise<OpenMemory> {
  try {
    return await input.open(server);
  } catch (error) {
    if (isProtocolError(error)) throw error;
    reportError(error, input);
    const message = "cannot open the memory; see the stderr of the server";
    throw new ProtocolError(PROTOCOL_CODE.internalError, message);
  }
}

interface AnswerInput extends Pick<ProtocolServerInput, "requests" | "report" | "describeProblem"> {
  readonly view: () => Promise<ClientView>;
  readonly signal: AbortSignal;
  /** How the user is asked; without it, what needs an approval is denied. */
  readonly questions?: Questions | undefined;
}

/** Answers a request in its turn, once the memory is open. Every failure becomes an error of the protocol. */
export async function answerRequest(request: JSONRPCRequest, input: AnswerInput): Promise<Result> {
  const { requests, view, signal, questions } = input;
  const answer = parseRequest(request);
  let redactPaths: ServedMemory["redactPaths"];
  const answerInTurn = async (given?: Approval): Promise<Result | ApprovalRequest> =>
    await requests.run(async () => {
      const open = await view();
      ({ redactPaths } = open.memory);
      const approval = given ?? (await questions?.approval(open.memory)) ?? "unavailable";
      return await answer(open, { signal, approval });
    }, signal);
  try {
    const first = await answerInTurn();
    if (!isApprovalRequest(first)) return first;
    // Not in the queue: users take their time.
    const answered = await questions?.ask(first, (await view()).memory);
    if (typeof answered === "object") return answered;
    const second = await answerInTurn(answered ?? "declined");
    if (isApprovalRequest(second)) throw new TypeError("a question was asked twice");
    return second;
  } catch (error) {
    if (isProtocolError(error)) throw error;
    if (isMemoryError(error))
      throw new ProtocolError(
        PROTOCOL_CODE.internalError,
        redactPaths?.(error.message) ?? error.message,
      );
    reportError(error, input);
    const message = "internal error; see the stderr of the server";
    throw new ProtocolError(PROTOCOL_CODE.internalError, message);
  }
}

function reportError(
  error: unknown,
  { report, describeProblem }: Pick<AnswerInput, "report" | "describeProblem">,
): void {
  for (const line of describeProblem?.(error) ?? bugReport(error)) report(line);
}

function bugReport(error: unknown): readonly string[] {
  if (isMemoryError(error)) return [error.message];
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return ["this is a bug, please report it:", ...stack.split("\n")];
}
