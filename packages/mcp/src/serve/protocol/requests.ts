import { isRecord, terminalSafeLine } from "@caliban/common";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/core";
import {
  GetSkillRequestParamsSchema,
  ListSkillsRequestParamsSchema,
} from "@modelcontextprotocol/core/ext/skills";
import type { JSONRPCRequest, Result } from "@modelcontextprotocol/server";
import type { Approval, ApprovalRequest } from "../approval.ts";
import type { ClientView } from "../client-view.ts";
import { clientOffText } from "../instructions.ts";
import { listPrompts, renderPrompt } from "../prompts.ts";
import { PROTOCOL_CODE, ProtocolError } from "../protocol-error.ts";
import { getSkillEntry, listSkillEntries, readSkillFile } from "../skills/skill-answers.ts";
import type { ServedMemory } from "../served-memory.ts";
import { readApp } from "../app/memory-app.ts";
import { readResource } from "../resources/read-resource.ts";
import {
  completeSlug,
  listResources,
  pageOf,
  resourceTemplates,
} from "../resources/resource-list.ts";

/** A valid request, ready to be answered. */
export type Answer = (
  view: ClientView,
  context: AnswerContext,
) => Promise<Result | ApprovalRequest>;

interface AnswerContext {
  readonly signal: AbortSignal;
  readonly approval: Approval;
}

/**
 * Validates a request and returns its answer. This is the only place where parameters are parsed.
 * @throws ProtocolError for an unknown method or invalid parameters
 */
export function parseRequest(request: JSONRPCRequest): Answer {
  const { method } = request;
  const parse = isKnownMethod(method) ? REQUESTS[method] : undefined;
  if (parse !== undefined) return parse(request);
  const shown = JSON.stringify(terminalSafeLine(method.slice(0, 60)));
  throw new ProtocolError(PROTOCOL_CODE.methodNotFound, `no such method: ${shown}`);
}

/** Whether this server, and not the SDK, answers a method. */
export function isKnownMethod(method: string): boolean {
  return Object.hasOwn(REQUESTS, method);
}

/** Validates a request that the SDK answers itself, which would report invalid parameters as an internal error. */
export function checkSdkRequest(request: JSONRPCRequest): void {
  if (request.method === "initialize") validated(InitializeRequestSchema, request);
  if (request.method === "ping") validated(PingRequestSchema, request);
}

/** The part of a schema of the SDK that is used. */
interface RequestSchema<Request> {
  readonly safeParse: (value: unknown) =>
    | { readonly success: true; readonly data: Request }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly {
            readonly path: readonly PropertyKey[];
            readonly message: string;
          }[];
        };
      };
}

function validated<Request>(schema: RequestSchema<Request>, request: JSONRPCRequest): Request {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? "" : `${issue.path.join(".")}: ${issue.message}`;
  const message = `invalid ${request.method} request: ${terminalSafeLine(where.slice(0, 300))}`;
  throw new ProtocolError(PROTOCOL_CODE.invalidParams, message);
}

/** The schema of a request from that of its parameters. */
function paramsSchema<Params>(params: RequestSchema<Params>): RequestSchema<{
  readonly params: Params;
}> {
  return {
    safeParse: (request) => {
      const parsed = params.safeParse(isRecord(request) ? request["params"] : undefined);
      if (parsed.success) return { success: true, data: { params: parsed.data } };
      const issues = parsed.error.issues.map(({ path, message }) => ({
        path: ["params", ...path],
        message,
      }));
      return { success: false, error: { issues } };
    },
  };
}

function route<Request>(
  schema: RequestSchema<Request>,
  answer: (request: Request, ...rest: Parameters<Answer>) => ReturnType<Answer>,
): (request: JSONRPCRequest) => Answer {
  return (request) => {
    const valid = validated(schema, request);
    return (view, context) => answer(valid, view, context);
  };
}

const ListSkillsRequestSchema = paramsSchema(ListSkillsRequestParamsSchema.optional());
const GetSkillRequestSchema = paramsSchema(GetSkillRequestParamsSchema);

const REQUESTS: Readonly<Record<string, (request: JSONRPCRequest) => Answer>> = {
  "tools/list": route(ListToolsRequestSchema, async (_, { listTools }) => listTools()),
  "tools/call": route(
    CallToolRequestSchema,
    async ({ params }, { callTool }, context) => await callTool(params, context),
  ),
  "resources/list": route(ListResourcesRequestSchema, async ({ params }, { memory }) =>
    pageOf(await listResources(memory), params?.cursor),
  ),
  "resources/templates/list": route(ListResourceTemplatesRequestSchema, async (_, { memory }) => ({
    resourceTemplates: [...resourceTemplates(memory)],
  })),
  "resources/read": route(ReadResourceRequestSchema, async ({ params: { uri } }, { memory }) => {
    const app = await readApp(uri, memory);
    if (app !== undefined) return { contents: [app] };
    return { contents: [{ uri, mimeType: "text/markdown", text: await readText(uri, memory) }] };
  }),
  // Not in the SDK's own table of requests, and nothing but a list.
  "skills/list": route(ListSkillsRequestSchema, async (_, { memory }) => listSkillEntries(memory)),
  "skills/get": route(GetSkillRequestSchema, async ({ params: { uri } }, { memory }) =>
    getSkillEntry(uri, memory),
  ),
  "resources/subscribe": route(
    SubscribeRequestSchema,
    async ({ params: { uri } }, { subscriptions }) => {
      await subscriptions?.add(uri);
      return {};
    },
  ),
  "resources/unsubscribe": route(
    UnsubscribeRequestSchema,
    async ({ params: { uri } }, { subscriptions }) => {
      subscriptions?.remove(uri);
      return {};
    },
  ),
  "prompts/list": route(ListPromptsRequestSchema, async (_, view) => ({
    prompts: [...listPrompts(toolNames(view))],
  })),
  "prompts/get": route(GetPromptRequestSchema, async ({ params }, view) => {
    const { offBy } = view.memory;
    if (offBy !== undefined) throw new ProtocolError(PROTOCOL_CODE.refused, clientOffText(offBy));
    const { description, text } = renderPrompt(params, toolNames(view));
    // Only a user selects a prompt.
    view.onUserMessage();
    return { description, messages: [{ role: "user", content: { type: "text", text } }] };
  }),
  "completion/complete": route(
    CompleteRequestSchema,
    async ({ params: { ref, argument } }, { memory }) => {
      const isSlug = ref.type === "ref/resource" && argument.name === "slug";
      return { completion: isSlug ? await completeSlug(argument.value, memory) : NO_COMPLETIONS };
    },
  ),
};

async function readText(uri: string, memory: ServedMemory): Promise<string> {
  return uri.startsWith("skill://")
    ? await readSkillFile(uri, memory)
    : await readResource(uri, memory);
}

const NO_COMPLETIONS = { values: [], total: 0, hasMore: false };

function toolNames({ memory }: ClientView): readonly string[] {
  return memory.tools.map(({ name }) => name);
}
