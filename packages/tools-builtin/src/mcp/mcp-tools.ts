import type { CancelSignal, Tool, ToolCall, ToolResult } from "@caliban/agent-core";

/** A tool as `tools/list` of the Model Context Protocol shows it. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: { type: "object"; [key: string]: unknown };
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean };
}

/** What `tools/call` answers. */
export interface McpToolResult {
  content: { type: "text"; text: string }[];
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  [key: string]: unknown;
}

/** Both halves of the protocol's tools, as plain data: for any server, of the SDK or not. */
export interface McpTools {
  readonly list: () => { tools: McpTool[] };
  readonly call: (
    params: { readonly name: string; readonly arguments?: unknown },
    signal?: CancelSignal,
  ) => Promise<McpToolResult>;
}

/** `run` decides over each call: the `run` of a tool runner, so that permissions and order hold here, too. */
export function createMcpTools(
  tools: readonly Tool[],
  run: (call: ToolCall) => Promise<ToolResult>,
): McpTools {
  return {
    list: () => ({ tools: tools.map(listed) }),
    call: async ({ name, arguments: input }, signal) => {
      const { text, isError, data } = await run({ name, input: input ?? {}, signal });
      return {
        content: [{ type: "text", text }],
        ...(isError === true ? { isError } : {}),
        ...(isRecord(data) ? { structuredContent: data } : {}),
      };
    },
  };
}

/** What cannot be taken back: topics that are deleted, files, whatever a command does. */
const DESTRUCTIVE = /\.delete$|^(?:fs|shell)\./;

function listed({ name, description, inputSchema, isReadOnly, permission }: Tool): McpTool {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: "object" },
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: !isReadOnly && DESTRUCTIVE.test(permission),
      openWorldHint: permission.startsWith("shell."),
    },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
