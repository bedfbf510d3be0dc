import type { Tool, ToolCall, ToolResult } from "@caliban/agent-core";
import { dynamicTool, jsonSchema, type ToolSet } from "ai";

/**
 * Converts tools for `generateText` and `streamText`. Pass the `run` of a tool runner of `@caliban/agent-core`, so that
 * permissions and order apply here too.
 */
export function toAiSdkTools(
  tools: readonly Tool[],
  run: (call: ToolCall) => Promise<ToolResult>,
): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      dynamicTool({
        description,
        inputSchema: jsonSchema({ ...inputSchema }),
        execute: (input, { abortSignal }) => run({ name, input, signal: abortSignal }),
        toModelOutput: ({ output }) => toModelOutput(output),
      }),
    ]),
  );
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
