import type { CancelSignal, Tool, ToolCall, ToolResult } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";

/** A tool as `tools/list` of the Model Context Protocol returns it. */
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

/** The response to `tools/call`. */
export interface McpToolResult {
  content: { type: "text"; text: string }[];
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  [key: string]: unknown;
}

/** Both tool methods of the protocol as plain data, for any server implementation. */
export interface McpTools {
  readonly list: () => { tools: McpTool[] };
  readonly call: (
    params: { readonly name: string; readonly arguments?: unknown },
    signal?: CancelSignal,
  ) => Promise<McpToolResult>;
}

/**
 * Serves tools over MCP. Pass the `run` of a tool runner, so that permissions and order apply here too.
 *
 * @example
 * import { createToolRunner } from "@caliban/agent-core";
 * import { createMapTopicStore } from "@caliban/memory";
 * import { createMemoryTools } from "@caliban/tools-builtin";
 * import { createMcpTools } from "@caliban/tools-builtin/mcp";
 *
 * const tools = createMemoryTools({ store: createMapTopicStore() });
 * const mcp = createMcpTools(tools, createToolRunner({ tools }).run);
 * const { content } = await mcp.call({ name: "MemorySearch", arguments: { query: "deploy" } });
 * console.log(mcp.list().tools.length, content.length); // 4 1
 */
export function createMcpTools(
  tools: readonly Tool[],
  run: (call: ToolCall) => Promise<ToolResult>,
): McpTools {
  const withOutputSchema = new Set(
    tools.flatMap(({ name, outputSchema }) => (outputSchema === undefined ? [] : [name])),
  );
  return {
    list: () => ({ tools: tools.map(toMcpTool) }),
    call: async ({ name, arguments: input }, signal) => {
      const { text, isError = false, data } = await run({ name, input: input ?? {}, signal });
      // Clients validate structured content against the schema, even for an error, whose text is complete anyway.
      const isIncluded = isRecord(data) && !(isError && withOutputSchema.has(name));
      return {
        content: [{ type: "text", text }],
        ...(isError ? { isError } : {}),
        ...(isIncluded ? { structuredContent: { ...data } } : {}),
      };
    },
  };
}

/** A change of a topic names the text that it replaces, so repeating the call changes nothing. */
const OPEN_WORLD = /^(?:shell|web)\./;
const IDEMPOTENT = /^memory\./;

function toMcpTool(tool: Tool): McpTool {
  const { name, description, inputSchema, outputSchema, isReadOnly, permission } = tool;
  const title = name.replaceAll(/(?<=[a-z])(?=[A-Z])|[_-]+/g, " ");
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, type: "object" },
    ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema, type: "object" } }),
    annotations: {
      title,
      readOnlyHint: isReadOnly,
      // In the protocol, only additions are not destructive, and every change here may replace something.
      destructiveHint: !isReadOnly,
      idempotentHint: isReadOnly || IDEMPOTENT.test(permission),
      openWorldHint: OPEN_WORLD.test(permission),
    },
  };
}
