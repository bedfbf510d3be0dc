import type { Tool } from "@caliban/agent-core";
import { createToolState, type ApprovedTarget, type ToolState } from "./tool-state.ts";
import { createFileTool } from "./file-tool.ts";
import { FileToolError } from "./file-tool-error.ts";
import { type ResolvedPath, resolvePath } from "./resolve-path.ts";
import { findProtectionReason } from "./protection/protection-reason.ts";
import type { ToolWorkspace } from "./tool-workspace.ts";

/** The tools by which an agent works on files: Read, Write, Edit, Bash, Grep and Glob, one session's. */
export function createFileTools(workspace: ToolWorkspace): readonly Tool[] {
  const session = createToolState(workspace);
  return [...oneFileTools(session), bashTool(session), ...searchTools(session)];
}

function oneFileTools(session: ToolState): readonly Tool[] {
  const { workspace } = session;
  const write = {
    permission: "fs.write",
    isReadOnly: false,
    orderKey: (input: unknown) => locatedOf(workspace, input, "file_path")?.path,
    subjectOf: (input: unknown) => locatedOf(workspace, input, "file_path")?.display,
    protects: (input: unknown) => {
      const located = locatedOf(workspace, input, "file_path");
      return located && findProtectionReason(session, located);
    },
    decidedOf: (input: unknown) => decidedPlace(session, input, "write"),
  };
  const { protects: _, ...file } = write;
  const read = {
    ...file,
    permission: "fs.read",
    isReadOnly: true,
    subjectOf: (input: unknown) => addressOf(input) ?? file.subjectOf(input),
    orderKey: (input: unknown) => addressOf(input) ?? file.orderKey(input),
    decidedOf: (input: unknown) => decidedPlace(session, input, "read"),
  };
  return [
    createFileTool(
      {
        ...read,
        name: "Read",
        description:
          "Reads a text file, with line numbers; 2000 lines at most. Takes memory:// addresses, too.",
        load: async () => (await import("./files/read.ts")).read,
      },
      session,
    ),
    createFileTool(
      {
        ...write,
        name: "Write",
        description: "Creates a file, or replaces one that you have read. Prefer Edit for changes.",
        load: async () => (await import("./files/write.ts")).write,
      },
      session,
    ),
    createFileTool(
      {
        ...write,
        name: "Edit",
        description:
          "Replaces old_string in a file that you have read. It must match exactly, without line numbers, and stand there once, unless replace_all.",
        load: async () => (await import("./files/edit.ts")).edit,
      },
      session,
    ),
  ];
}

function bashTool(session: ToolState): Tool {
  return createFileTool(
    {
      name: "Bash",
      description:
        "Runs a shell command in the start directory, without input. Each call is a new shell. Long output is cut, and whole in a file. Read and change files with the other tools.",
      permission: "shell.run",
      isReadOnly: false,
      // One shell at a time: commands see what those before them did.
      orderKey: () => "shell",
      subjectOf: (input) => textField(input, "command"),
      load: async () => (await import("./shell/bash.ts")).bash,
    },
    session,
  );
}

function searchTools(session: ToolState): readonly Tool[] {
  const look = {
    permission: "fs.read",
    isReadOnly: true,
    subjectOf: (input: unknown) => locatedOf(session.workspace, input, "path")?.display,
    decidedOf: (input: unknown) => decidedPlace(session, input, "search"),
  };
  return [
    createFileTool(
      {
        ...look,
        name: "Grep",
        description:
          "Searches files by a regular expression, line by line, except what Git ignores.",
        load: async () => (await import("./search/grep.ts")).grep,
      },
      session,
    ),
    createFileTool(
      {
        ...look,
        name: "Glob",
        description:
          "Finds files by a pattern such as src/**/*.ts, newest first, except what Git ignores.",
        load: async () => (await import("./search/glob.ts")).glob,
      },
      session,
    ),
  ];
}

function decidedPlace(
  session: ToolState,
  input: unknown,
  purpose: "read" | "write" | "search",
): ApprovedTarget | undefined {
  const field = purpose === "search" ? "path" : "file_path";
  const text = pathField(input, field);
  if (text === undefined) return undefined;
  const located = locatedOf(session.workspace, input, field);
  if (purpose !== "write") return { text, resolved: located, protection: undefined };
  const reasonOf = (place: ResolvedPath): string | undefined =>
    findProtectionReason(session, place);
  return {
    text,
    resolved: located,
    protection: located && reasonOf(located),
    protectionOf: reasonOf,
  };
}

function pathField(input: unknown, field: string): string | undefined {
  return textField(input, field) ?? (field === "path" ? "." : undefined);
}

/** Nothing for what is no path: the call itself will say so. */
function locatedOf(
  workspace: ToolWorkspace,
  input: unknown,
  field: string,
): ResolvedPath | undefined {
  const text = pathField(input, field);
  if (text === undefined) return undefined;
  try {
    return resolvePath(workspace, text);
  } catch (error) {
    if (error instanceof FileToolError) return undefined;
    throw error;
  }
}

function addressOf(input: unknown): string | undefined {
  const text = textField(input, "file_path");
  return text?.startsWith("memory://") === true ? text : undefined;
}

function textField(input: unknown, field: string): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const value: unknown = Reflect.get(input, field);
  return typeof value === "string" ? value : undefined;
}
