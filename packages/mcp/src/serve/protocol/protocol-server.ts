import { isMemoryError } from "@caliban/memory";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type JSONRPCRequest,
  type Result,
  RootsListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { type ClientView, createClientView, type OpenMemory } from "../client-view.ts";
import { guardTransport } from "./guard-transport.ts";
import { type InstructionsInput, renderInstructions } from "../instructions.ts";
import { PROTOCOL_CODE, ProtocolError, isProtocolError } from "../protocol-error.ts";
import type { RequestQueue } from "./request-queue.ts";
import { parseRequest } from "./requests.ts";
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

const CAPABILITIES = {
  tools: {},
  resources: { subscribe: true, listChanged: true },
  prompts: {},
  completions: {},
};

/** Creates the server of one client, to be connected to a transport. */
export function createProtocolServer(input: ProtocolServerInput): Server {
  const { name = "caliban", title = "caliban memory", version = "0.0.0", report } = input;
  const server = new Server(
    { name, title, version },
    { capabilities: CAPABILITIES, instructions: renderInstructions(input.instructions) },
  );
  let opening: Promise<ClientView> | undefined;
  const view = (): Promise<ClientView> => (opening ??= openView(server, input));
  server.oninitialized = () => void view().catch(() => undefined);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
  server.onclose = () => void opening?.then(({ close }) => close()).catch(() => undefined);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
  server.onerror = ({ message }) =>
    report(`ignored an invalid message from the client: ${message}`);
  server.setNotificationHandler(RootsListChangedNotificationSchema, () =>
    report("the client changed its roots; still serving the project it connected to"),
  );
  // Gets every request that the SDK does not answer itself, unparsed, so that it is validated once.
  server.fallbackRequestHandler = async (request, { signal }) => {
    return await answerRequest(request, { ...input, view, signal });
  };
  const connect = server.connect.bind(server);
  return Object.assign(server, {
    connect: (transport: Transport) => connect(guardTransport(transport)),
  });
}

/** A problem of opening is the user's to fix. It may mention paths, so the client is not told. */
async function openView(server: Server, input: ProtocolServerInput): Promise<ClientView> {
  try {
    return createClientView({
      ...(await input.open(server)),
      clientName: server.getClientVersion()?.name,
      notifyUpdate: async (uri) => await server.sendResourceUpdated({ uri }),
      notifyList: async () => await server.sendResourceListChanged(),
    });
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
}

/** Answers a request in its turn, once the memory is open. Every failure becomes an error of the protocol. */
export async function answerRequest(request: JSONRPCRequest, input: AnswerInput): Promise<Result> {
  const { requests, view, signal } = input;
  const answer = parseRequest(request);
  let redactPaths: ServedMemory["redactPaths"];
  try {
    return await requests.run(async () => {
      const open = await view();
      ({ redactPaths } = open.memory);
      return await answer(open, signal);
    }, signal);
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
