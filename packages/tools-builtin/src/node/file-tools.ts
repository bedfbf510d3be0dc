import type { Tool } from "@caliban/agent-core";
import type { FindEvidence } from "../memory/memory-tool.ts";
import { isFileToolError } from "./file-tool-error.ts";
import { createFileTool } from "./file-tool.ts";
import { findManifestReason } from "./protection/package-protection.ts";
import { findProtectionReason } from "./protection/protection-reason.ts";
import { type ResolvedPath, resolvePath } from "./resolve-path.ts";
import { type ApprovedTarget, createToolState, type ToolState } from "./tool-state.ts";
import { completeWorkspace, type ToolWorkspace, type WorkspaceInput } from "./tool-workspace.ts";

/**
 * Creates the tools with which an agent works on files: Read, Write, Edit, Bash, Grep and Glob. They share what the model
 * has read, so create them once per session.
 *
 * @example
 * import { createToolRunner } from "@caliban/agent-core";
 * import { createFileTools } from "@caliban/tools-builtin/node";
 *
 * const tools = createFileTools({ root: process.cwd(), env: process.env });
 * const { run } = createToolRunner({ tools });
 * const { text } = await run({ name: "Read", input: { file_path: "missing.txt" } });
 * console.log(text.startsWith("There is no file missing.txt")); // true
 */
export function createFileTools(input: WorkspaceInput): readonly Tool[] {
  return openFileTools(input).tools;
}

/** The same tools, and what the memory tools need to know about the files that the model has read. */
export function openFileTools(input: WorkspaceInput): {
  readonly tools: readonly Tool[];
  /** For `createMemoryTools`. */
  readonly findEvidence: FindEvidence;
} {
  const state = createToolState(completeWorkspace(input));
  return {
    tools: [...singleFileTools(state), bashTool(state), ...searchTools(state)],
    findEvidence: async (text) => {
      if (state.seenFiles.size === 0) return [];
      const { findEvidence } = await import("./evidence/find-evidence.ts");
      return await findEvidence(state, text);
    },
  };
}

function singleFileTools(state: ToolState): readonly Tool[] {
  const { workspace } = state;
  const write = {
    permission: "fs.write",
    isReadOnly: false,
    orderKey: (input: unknown) => resolveField(workspace, input, "file_path")?.path,
    subjectOf: (input: unknown) => resolveField(workspace, input, "file_path")?.display,
    protectionReason: (input: unknown) => {
      const resolved = resolveField(workspace, input, "file_path");
      return (
        resolved &&
        (findProtectionReason(state, resolved) ?? findManifestReason(resolved.path, input))
      );
    },
    approvedTarget: (input: unknown) => toApprovedTarget(state, input, "write"),
  };
  const { protectionReason: _, ...file } = write;
  const read = {
    ...file,
    permission: "fs.read",
    isReadOnly: true,
    subjectOf: (input: unknown) => memoryAddress(input) ?? file.subjectOf(input),
    orderKey: (input: unknown) => memoryAddress(input) ?? file.orderKey(input),
    approvedTarget: (input: unknown) => toApprovedTarget(state, input, "read"),
  };
  return [
    createFileTool(
      {
        ...read,
        name: "Read",
        description:
          "Read a text file with line numbers, at most 2000 lines at a time. Also accepts memory:// addresses.",
        load: async () => (await import("./files/read.ts")).read,
      },
      state,
    ),
    createFileTool(
      {
        ...write,
        name: "Write",
        description: "Create a file, or replace one that you have read. Prefer Edit for changes.",
        load: async () => (await import("./files/write.ts")).write,
      },
      state,
    ),
    createFileTool(
      {
        ...write,
        name: "Edit",
        description:
          "Replace old_string in a file that you have read. old_string must match exactly, without line numbers, and must be unique unless replace_all is set.",
        load: async () => (await import("./files/edit.ts")).edit,
      },
      state,
    ),
  ];
}

function bashTool(state: ToolState): Tool {
  return createFileTool(
    {
      name: "Bash",
      description:
        "Run a shell command in the start directory, without standard input. Each call is a new shell. Long output is truncated; the full text is saved to a file. Use the other tools to read and change files.",
      permission: "shell.run",
      isReadOnly: false,
      // One shell at a time, so that commands see what earlier ones did.
      orderKey: () => "shell",
      subjectOf: (input) => textField(input, "command"),
      loadPartsOf: async () => {
        const { resolveParts } = await import("./shell/resolve-parts.ts");
        return (input) => resolveParts(state.workspace, textField(input, "command") ?? "");
      },
      sandboxOf: async (input, notify) =>
        await (await state.sandbox())?.requestFor(textField(input, "command") ?? "", notify),
      load: async () => (await import("./shell/bash.ts")).bash,
    },
    state,
  );
}

function searchTools(state: ToolState): readonly Tool[] {
  const search = {
    permission: "fs.read",
    isReadOnly: true,
    subjectOf: (input: unknown) => resolveField(state.workspace, input, "path")?.display,
    approvedTarget: (input: unknown) => toApprovedTarget(state, input, "search"),
  };
  return [
    createFileTool(
      {
        ...search,
        name: "Grep",
        description:
          "Search files line by line with a regular expression. Skips files that Git ignores.",
        load: async () => (await import("./search/grep.ts")).grep,
      },
      state,
    ),
    createFileTool(
      {
        ...search,
        name: "Glob",
        description:
          "Find files by a pattern such as src/**/*.ts, newest first. Skips files that Git ignores.",
        load: async () => (await import("./search/glob.ts")).glob,
      },
      state,
    ),
  ];
}

function toApprovedTarget(
  state: ToolState,
  input: unknown,
  purpose: "read" | "write" | "search",
): ApprovedTarget | undefined {
  const field = purpose === "search" ? "path" : "file_path";
  const text = pathField(input, field);
  if (text === undefined) return undefined;
  const resolved = resolveField(state.workspace, input, field);
  if (purpose !== "write") return { text, resolved, protection: undefined };
  const protectionOf = (path: ResolvedPath): string | undefined =>
    findProtectionReason(state, path);
  return { text, resolved, protection: resolved && protectionOf(resolved), protectionOf };
}

function pathField(input: unknown, field: string): string | undefined {
  return textField(input, field) ?? (field === "path" ? "." : undefined);
}

/** Returns `undefined` for an invalid path: the call itself will report it. */
function resolveField(
  workspace: ToolWorkspace,
  input: unknown,
  field: string,
): ResolvedPath | undefined {
  const text = pathField(input, field);
  if (text === undefined) return undefined;
  try {
    return resolvePath(workspace, text);
  } catch (error) {
    if (isFileToolError(error)) return undefined;
    throw error;
  }
}

function memoryAddress(input: unknown): string | undefined {
  const text = textField(input, "file_path");
  return text?.startsWith("memory://") === true ? text : undefined;
}

function textField(input: unknown, field: string): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const value: unknown = Reflect.get(input, field);
  return typeof value === "string" ? value : undefined;
}
