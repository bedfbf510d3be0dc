import type { Tool, ToolCall, ToolResult } from "@caliban/agent-core";
import { dynamicTool, jsonSchema, tool, type ToolSet } from "ai";

type Run = (call: ToolCall) => Promise<ToolResult>;

/**
 * Converts tools for `generateText` and `streamText`. Pass the `run` of a tool runner of `@caliban/agent-core`, so that
 * permissions and order apply here too.
 */
export function toAiSdkTools(tools: readonly Tool[], run: Run): ToolSet {
  return Object.fromEntries(tools.map((each) => [each.name, dynamicTool(convert(each, run))]));
}

/** The same as tools whose calls and results the AI SDK does not mark as dynamic, for callers that know their types. */
export function toStaticTools(tools: readonly Tool[], run: Run): ToolSet {
  return Object.fromEntries(tools.map((each) => [each.name, tool(convert(each, run))]));
}

function convert({ name, description, inputSchema }: Tool, run: Run) {
  return {
    description,
    inputSchema: jsonSchema({ ...inputSchema }),
    execute: (
      input: unknown,
      { abortSignal }: { readonly abortSignal?: ToolCall["signal"] },
    ): Promise<ToolResult> => run({ name, input, signal: abortSignal }),
    toModelOutput: ({ output }: { readonly output: unknown }) => toModelOutput(output),
  };
}

/** A refusal is an error for the model to read, not an exception that ends the run. */
function toModelOutput(output: unknown): {
  readonly type: "text" | "error-text";
  readonly value: string;
} {
  const isResult = typeof output === "object" && output !== null && "text" in output;
  if (!isResult || typeof output.text !== "string")
    return { type: "error-text", value: "The tool returned no text." };
  return {
    type: "isError" in output && output.isError === true ? "error-text" : "text",
    value: output.text,
  };
}
