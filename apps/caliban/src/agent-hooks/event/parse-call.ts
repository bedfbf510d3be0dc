import { isRecord } from "@caliban/common";
import type { AgentCall } from "../hook-event.ts";
import { patchedFile } from "./patched-file.ts";
import { responseText } from "./response-text.ts";

export interface CalledTool {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly response: unknown;
  readonly outcome: "done" | "failed";
}

/** The words of a note are in the first lines or nowhere. */
const MAX_CHARACTERS = 20_000;

/**
 * The file or command that a call was about; `undefined` for tools that have neither. A file that could not be read tells
 * nothing. An edit that failed is about to be repeated, and a command that failed is when a memory matters most.
 */
export function parseCall(called: CalledTool): AgentCall | undefined {
  return Object.hasOwn(TOOLS, called.tool) ? TOOLS[called.tool]?.(called) : undefined;
}

type ParseTool = (called: CalledTool) => AgentCall | undefined;

const command: ParseTool = ({ input }) => {
  // Codex may pass the words of a command.
  const words = input["command"];
  const line = Array.isArray(words) ? words.filter(isText).join(" ") : textIn(input, ["command"]);
  return line === "" ? undefined : { kind: "command", command: line };
};

const read: ParseTool = ({ input, response, outcome }) =>
  outcome === "failed" ? undefined : file("read", input, responseText(response));

const search: ParseTool = ({ input, outcome }) =>
  outcome === "failed" ? undefined : file("read", input, textIn(input, ["pattern"]));

const write: ParseTool = ({ input, outcome }) =>
  outcome === "failed" ? undefined : file("create", input, textIn(input, ["content"]));

const edit: ParseTool = ({ input }) => {
  const edits: readonly unknown[] = Array.isArray(input["edits"]) ? input["edits"] : [];
  const texts = [input, ...edits.filter(isRecord)].flatMap((each) => [
    textIn(each, BEFORE),
    textIn(each, AFTER),
  ]);
  return file("edit", input, texts.filter((text) => text !== "").join("\n"));
};

const patch: ParseTool = ({ input }) => {
  const text = textIn(input, ["command", "input", "patch", "patchText"]);
  const patched = patchedFile(text);
  return patched && { kind: "file", ...patched, text: text.slice(0, MAX_CHARACTERS) };
};

/** The tools of all agents. No two of them mean different things by one name. */
const TOOLS: Readonly<Record<string, ParseTool>> = {
  // Claude Code, and Codex for those that it has.
  Bash: command,
  Read: read,
  Edit: edit,
  MultiEdit: edit,
  Write: write,
  Grep: search,
  Glob: search,
  apply_patch: patch,
  shell: command,
  // Gemini CLI and Qwen Code.
  run_shell_command: command,
  read_file: read,
  replace: edit,
  write_file: write,
  search_file_content: search,
  grep_search: search,
  // opencode and pi, where `edit` is also Qwen Code's.
  bash: command,
  read,
  edit,
  write,
  patch,
  grep: search,
  glob: search,
  find: search,
};

const PATH = ["file_path", "absolute_path", "filePath", "path", "dir_path"];
const BEFORE = ["old_string", "oldString", "oldText"];
const AFTER = ["new_string", "newString", "newText"];

function file(
  action: "read" | "edit" | "create",
  input: CalledTool["input"],
  text: string,
): AgentCall | undefined {
  const path = textIn(input, PATH);
  if (path === "") return undefined;
  return { kind: "file", action, path, text: text.slice(0, MAX_CHARACTERS) };
}

function textIn(fields: Readonly<Record<string, unknown>>, keys: readonly string[]): string {
  return keys.map((key) => fields[key]).find(isText) ?? "";
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
