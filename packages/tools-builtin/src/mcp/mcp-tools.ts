import type { CancelSignal, Tool, ToolCall, ToolResult } from "@caliban/agent-core";

/** A tool as `tools/list` of the Model Context Protocol shows it. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; [key: string]: unknown };
  outputSchema?: { type: "object"; [key: string]: unknown };
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
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
  const promised = new Set(
    tools.flatMap(({ name, outputSchema }) => (outputSchema === undefined ? [] : [name])),
  );
  return {
    list: () => ({ tools: tools.map(listed) }),
    call: async ({ name, arguments: input }, signal) => {
      const { text, isError = false, data } = await run({ name, input: input ?? {}, signal });
      // Clients hold whatever structure there is against the schema, also that of an error; its text tells all of it.
      const isShown = isRecord(data) && !(isError && promised.has(name));
      return {
        content: [{ type: "text", text }],
        ...(isError ? { isError } : {}),
        ...(isShown ? { structuredContent: data } : {}),
      };
    },
  };
}

/** A change of a topic names the text that it replaces, so the same call a second time changes nothing. */
const IDEMPOTENT = /^memory\./;

function listed(tool: Tool): McpTool {
  const { name, description, inputSchema, outputSchema, isReadOnly, permission } = tool;
  const title = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, type: "object" },
    ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema, type: "object" } }),
    annotations: {
      title,
      readOnlyHint: isReadOnly,
      // The protocol calls only what adds "not destructive", and whatever changes something here may replace something.
      destructiveHint: !isReadOnly,
      idempotentHint: isReadOnly || IDEMPOTENT.test(permission),
      openWorldHint: permission.startsWith("shell."),
    },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
