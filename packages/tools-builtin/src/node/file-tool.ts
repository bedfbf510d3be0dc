import type { Tool, ToolContext, ToolResult } from "@caliban/agent-core";
import { errorCode } from "@caliban/common/node";
import { sanitizeOutput } from "@caliban/memory";
import { isFileToolError } from "./file-tool-error.ts";
import { FILE_INPUT_SCHEMAS } from "./schemas/file-input-schemas.ts";
import type { FileInputs, FileToolName } from "./schemas/file-input.ts";
import type { ApprovedTarget, ToolState } from "./tool-state.ts";

/** The action of a tool on a validated input. */
export type FileToolAction<Name extends FileToolName> = (
  input: FileInputs[Name],
  state: ToolState,
  context: ToolContext,
) => Promise<FileToolResult>;

/** The result of an action, before it is put together for the model. */
export interface FileToolResult extends ToolResult {
  /** Rules and instructions that the call brought in, in frames of ours. */
  readonly activation?: string | undefined;
  /** Whether the text is that of a file, which an edit must match. */
  readonly isExact?: boolean | undefined;
}

/** A file tool, defined by its action, which is loaded with the first call. */
export interface FileToolDefinition<Name extends FileToolName> extends Pick<
  Tool,
  | "description"
  | "permission"
  | "isReadOnly"
  | "orderKey"
  | "subjectOf"
  | "protectionReason"
  | "loadPartsOf"
  | "sandboxOf"
> {
  readonly name: Name;
  /** Returns the current target of a call. Omitted for tools that are not about a file. */
  readonly approvedTarget?: ((input: unknown) => ApprovedTarget | undefined) | undefined;
  readonly load: () => Promise<FileToolAction<Name>>;
}

/** Creates a tool that validates its input and reports refusals to the model. */
export function createFileTool<Name extends FileToolName>(
  definition: FileToolDefinition<Name>,
  state: ToolState,
): Tool {
  const { load, approvedTarget, ...tool } = definition;
  const { name } = tool;
  const loadModules = async () =>
    await Promise.all([import("./schemas/file-input.ts"), import("../parse-input.ts"), load()]);
  // Kept, because even an import of a loaded module takes a while.
  let modules: Awaited<ReturnType<typeof loadModules>> | undefined;
  const act = async (
    input: unknown,
    context: ToolContext,
    approved: ApprovedTarget | undefined,
  ): Promise<ToolResult> => {
    const [{ FILE_INPUTS }, { parseInput }, action] = (modules ??= await loadModules());
    const parsed = parseInput(FILE_INPUTS[name], name, input);
    if ("problem" in parsed) return { text: parsed.problem, isError: true };
    return toToolResult(
      await reportRefusal(() => action(parsed.input, { ...state, approved }, context)),
    );
  };
  return {
    ...tool,
    inputSchema: FILE_INPUT_SCHEMAS[name],
    run: async (input, context) => {
      // Before anything is awaited: this is what the call was permitted for.
      const approved = approvedTarget?.(input);
      if (tool.isReadOnly) return await act(input, context, approved);
      return await state.enqueue(async () =>
        context.signal?.aborted === true ? cancelled(name) : await act(input, context, approved),
      );
    },
  };
}

/** No output, file name or error can pass for one of our frames. The exact text of a file lacks the nonce that those have. */
function toToolResult({ activation = "", isExact, ...result }: FileToolResult): ToolResult {
  const text = isExact === true ? result.text : sanitizeOutput(result.text);
  return { ...result, text: activation === "" ? text : `${text}\n\n${activation}` };
}

/** The user may have interrupted while the call was waiting in the queue. */
function cancelled(name: string): ToolResult {
  const text = `${name} was not run: the user interrupted before it started.`;
  return { text, isError: true, data: { code: "CANCELLED" } };
}

async function reportRefusal(action: () => Promise<FileToolResult>): Promise<FileToolResult> {
  try {
    return await action();
  } catch (error) {
    if (isFileToolError(error)) {
      return { text: error.message, isError: true, data: { code: error.code } };
    }
    const code = errorCode(error);
    // A full disk or a missing permission is not a bug of ours, and the model may find another way.
    if (code === undefined || !(error instanceof Error) || !("syscall" in error)) throw error;
    const text = `The operating system refused this (${code}). Check the path and its permissions.`;
    return { text, isError: true, data: { code } };
  }
}
