import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  RootsListChangedNotificationSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Host } from "../../../../apps/caliban/src/host.ts";
import { createAnswerer, openingFailure } from "./answer-requests.ts";
import { type ClientView, createClientView, type OpenProject } from "./client-view.ts";
import { instructionsFor, type InstructionsInput, offTextForClients } from "./instructions.ts";
import { listPrompts, renderPrompt } from "./prompts.ts";
import { PROTOCOL_CODE, ProtocolError } from "./protocol-error.ts";
import type { RequestQueue } from "./request-queue.ts";
import { listResources, pageOf, RESOURCE_TEMPLATES } from "./resource-list.ts";
import { completeSlug, readResource } from "./read-resource.ts";

export interface ConnectionInput {
  readonly host: Host;
  readonly instructions: InstructionsInput;
  /** Opens the project when the client is there, whose root may say which one. */
  readonly openProject: (server: Server) => Promise<OpenProject>;
  readonly work: RequestQueue;
  /** Says one line to the person. */
  readonly say: (line: string) => void;
}

const CAPABILITIES = {
  tools: {},
  resources: { subscribe: true, listChanged: true },
  prompts: {},
  completions: {},
};

/** One client's server, to be connected to a transport. */
export function createConnection(input: ConnectionInput): Server {
  const { host, instructions, say } = input;
  const server = new Server(
    { name: "caliban", title: "caliban memory", version: host.version },
    { capabilities: CAPABILITIES, instructions: instructionsFor(instructions) },
  );
  let opening: Promise<ClientView> | undefined;
  const side = (): Promise<ClientView> =>
    (opening ??= openSide(server, input).catch((error: unknown) => {
      throw openingFailure(error, say);
    }));
  server.oninitialized = () => void side().catch(() => undefined);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no other way
  server.onclose = () => void opening?.then(({ close }) => close()).catch(() => undefined);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no other way
  server.onerror = ({ message }) => say(`what the client sent was passed over: ${message}`);
  server.setNotificationHandler(RootsListChangedNotificationSchema, () =>
    say("the client has other roots now; the project stays what it was when it connected"),
  );
  serveTools(server, { ...input, side });
  serveResources(server, { ...input, side });
  servePrompts(server, { ...input, side });
  return server;
}

interface Served extends ConnectionInput {
  readonly side: () => Promise<ClientView>;
}

async function openSide(server: Server, input: ConnectionInput): Promise<ClientView> {
  const open = await input.openProject(server);
  const { host, say } = input;
  return createClientView({
    host,
    open,
    clientName: server.getClientVersion()?.name,
    notifyUpdate: async (uri) => await server.sendResourceUpdated({ uri }),
    notifyList: async () => await server.sendResourceListChanged(),
    say,
  });
}

function serveTools(server: Server, served: Served): void {
  const answer = createAnswerer(served);
  server.setRequestHandler(
    ListToolsRequestSchema,
    answer(async (_, { listTools }) => listTools()),
  );
  server.setRequestHandler(
    CallToolRequestSchema,
    answer(async ({ params }, { callTool }, signal) => await callTool(params, signal)),
  );
}

function serveResources(server: Server, served: Served): void {
  const answer = createAnswerer(served);
  server.setRequestHandler(
    ListResourcesRequestSchema,
    answer(async ({ params }, { project }) => pageOf(await listResources(project), params?.cursor)),
  );
  server.setRequestHandler(
    ListResourceTemplatesRequestSchema,
    answer(async () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] })),
  );
  server.setRequestHandler(
    ReadResourceRequestSchema,
    answer(async ({ params: { uri } }, { project }) => ({
      contents: [{ uri, mimeType: "text/markdown", text: await readResource(uri, project) }],
    })),
  );
  server.setRequestHandler(
    SubscribeRequestSchema,
    answer(async ({ params: { uri } }, { subscriptions }) => {
      await subscriptions.add(uri);
      return {};
    }),
  );
  server.setRequestHandler(
    UnsubscribeRequestSchema,
    answer(async ({ params: { uri } }, { subscriptions }) => {
      subscriptions.remove(uri);
      return {};
    }),
  );
  server.setRequestHandler(
    CompleteRequestSchema,
    answer(async ({ params: { ref, argument } }, { project }) => {
      const isSlug = ref.type === "ref/resource" && argument.name === "slug";
      return { completion: isSlug ? await completeSlug(argument.value, project) : NO_VALUES };
    }),
  );
}

const NO_VALUES = { values: [], total: 0, hasMore: false };

function toolNames({ project }: ClientView): readonly string[] {
  return project.tools.map(({ name }) => name);
}

function servePrompts(server: Server, served: Served): void {
  const answer = createAnswerer(served);
  server.setRequestHandler(
    ListPromptsRequestSchema,
    answer(async (_, side) => ({ prompts: [...listPrompts(toolNames(side))] })),
  );
  server.setRequestHandler(
    GetPromptRequestSchema,
    answer(async ({ params }, side) => {
      const { offBy } = side.project;
      if (offBy !== undefined)
        throw new ProtocolError(PROTOCOL_CODE.refused, offTextForClients(offBy));
      const { description, text } = renderPrompt(params, toolNames(side));
      // Whoever picks a prompt is the person.
      side.personSpoke();
      return {
        description,
        messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
      };
    }),
  );
}
