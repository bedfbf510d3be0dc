import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { terminalSafeLine } from "@caliban/common";
import { PROTOCOL_CODE } from "./protocol-error.ts";

/** Every request that is answered, with what it must look like. */
const REQUESTS = {
  initialize: InitializeRequestSchema,
  ping: PingRequestSchema,
  "tools/list": ListToolsRequestSchema,
  "tools/call": CallToolRequestSchema,
  "resources/list": ListResourcesRequestSchema,
  "resources/templates/list": ListResourceTemplatesRequestSchema,
  "resources/read": ReadResourceRequestSchema,
  "resources/subscribe": SubscribeRequestSchema,
  "resources/unsubscribe": UnsubscribeRequestSchema,
  "prompts/list": ListPromptsRequestSchema,
  "prompts/get": GetPromptRequestSchema,
  "completion/complete": CompleteRequestSchema,
} as const;

/**
 * A transport that lets only requests through that can be answered. What is wrong with the others is told to the client
 * in a sentence: the SDK would call it an internal error and send the words of its parser.
 */
export function guardMessages(transport: Transport): Transport {
  let isInitialized = false;
  const refuse = ({ id }: JSONRPCRequest, error: Problem): void => {
    transport.send({ jsonrpc: "2.0", id, error }).catch((cause: unknown) => {
      guarded.onerror?.(cause instanceof Error ? cause : new Error(String(cause)));
    });
  };
  const guarded: Transport = {
    start: async () => {
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no other way
      transport.onclose = () => guarded.onclose?.();
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no other way
      transport.onerror = (error) => guarded.onerror?.(error);
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no other way
      transport.onmessage = (message, extra) => {
        if (!isJSONRPCRequest(message)) return guarded.onmessage?.(message, extra);
        const problem = problemOf(message, isInitialized);
        if (problem !== undefined) return refuse(message, problem);
        isInitialized ||= message.method === "initialize";
        guarded.onmessage?.(message, extra);
      };
      await transport.start();
    },
    send: async (message: JSONRPCMessage, options) => await transport.send(message, options),
    close: async () => await transport.close(),
  };
  return guarded;
}

interface Problem {
  readonly code: number;
  readonly message: string;
}

/** What keeps a request from being answered. */
function problemOf(request: JSONRPCRequest, isInitialized: boolean): Problem | undefined {
  const { method } = request;
  if (!isKnown(method)) {
    const message = `There is no method ${shown(method)} here.`;
    return { code: PROTOCOL_CODE.methodNotFound, message };
  }
  if (!isInitialized && method !== "initialize" && method !== "ping") {
    const message = `${method} comes too early: the first request is initialize.`;
    return { code: PROTOCOL_CODE.invalidRequest, message };
  }
  if (isInitialized && method === "initialize") {
    const message = "This connection is initialized already; open another one.";
    return { code: PROTOCOL_CODE.invalidRequest, message };
  }
  const parsed = REQUESTS[method].safeParse(request);
  if (parsed.success) return undefined;
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? "" : `${issue.path.join(".")}: ${issue.message}`;
  return {
    code: PROTOCOL_CODE.invalidParams,
    message: `${method} was not run: ${terminalSafeLine(where.slice(0, 300))}.`,
  };
}

function isKnown(method: string): method is keyof typeof REQUESTS {
  return Object.hasOwn(REQUESTS, method);
}

function shown(text: string): string {
  return JSON.stringify(terminalSafeLine(text.slice(0, 60)));
}
