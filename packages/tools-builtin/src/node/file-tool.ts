import type { Tool, ToolContext, ToolResult } from "@caliban/agent-core";
import { errorCode } from "@caliban/common/node";
import type { FileInputs, FileToolName } from "./schemas/file-input.ts";
import { FILE_INPUT_SCHEMAS } from "./schemas/file-input-schemas.ts";
import type { ApprovedTarget, ToolState } from "./tool-state.ts";
import { FileToolError } from "./file-tool-error.ts";

/** What a tool does with an input that is proven. */
export type FileToolAction<Name extends FileToolName> = (
  input: FileInputs[Name],
  session: ToolState,
  context: ToolContext,
) => Promise<ToolResult>;

/** A file tool before it is one. What it does is loaded with its first call. */
export interface FileToolDefinition<Name extends FileToolName> extends Pick<
  Tool,
  "description" | "permission" | "isReadOnly" | "orderKey" | "subjectOf" | "protects"
> {
  readonly name: Name;
  /** What a call is about, as things are now; left out for tools that are about no file. */
  readonly approvedTarget?: ((input: unknown) => ApprovedTarget | undefined) | undefined;
  readonly load: () => Promise<FileToolAction<Name>>;
}

/** Makes a tool that checks its input, and turns refusals into sentences for the model. */
export function createFileTool<Name extends FileToolName>(
  row: FileToolDefinition<Name>,
  session: ToolState,
): Tool {
  const { load, approvedTarget: decidedOf, ...tool } = row;
  const act = async (
    input: unknown,
    context: ToolContext,
    decided: ApprovedTarget | undefined,
  ): Promise<ToolResult> => {
    const [{ FILE_INPUTS }, { parseInput }, action] = await Promise.all([
      import("./schemas/file-input.ts"),
      import("../parse-input.ts"),
      load(),
    ]);
    const parsed = parseInput(FILE_INPUTS[row.name], row.name, input);
    if ("problem" in parsed) return { text: parsed.problem, isError: true };
    return await refusalAsText(() =>
      action(parsed.input, { ...session, approved: decided }, context),
    );
  };
  return {
    ...tool,
    inputSchema: FILE_INPUT_SCHEMAS[row.name],
    run: async (input, context) => {
      // Before anything is waited for: this is what the call was allowed for.
      const decided = decidedOf?.(input);
      if (row.isReadOnly) return await act(input, context, decided);
      return await session.enqueue(async () =>
        context.signal?.aborted === true
          ? interrupted(row.name)
          : await act(input, context, decided),
      );
    },
  };
}

/** While it waited for its turn, the person may have spoken. */
function interrupted(name: string): ToolResult {
  const text = `${name} was not run: the person interrupted before its turn came.`;
  return { text, isError: true, data: { code: "CANCELLED" } };
}

async function refusalAsText(action: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof FileToolError) {
      return { text: error.message, isError: true, data: { code: error.code } };
    }
    const code = errorCode(error);
    // A full disk or a directory without permission is no bug of ours, and the model may find another way.
    if (code === undefined || !(error instanceof Error) || !("syscall" in error)) throw error;
    const text = `The system refused it (${code}). Check the path and its permissions.`;
    return { text, isError: true, data: { code } };
  }
}
