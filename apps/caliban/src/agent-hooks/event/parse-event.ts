import { isRecord } from "@caliban/common";
import type { HookEvent, HookMoment } from "../hook-event.ts";
import { parseCall } from "./parse-call.ts";

/** The event, `"ignored"` if there is nothing to say about it, or a clause that says what is wrong with the input. */
export type ParsedEvent = HookEvent | "ignored" | { readonly problem: string };

/** More of a message says nothing more about what it needs. */
const MAX_MESSAGE_CHARACTERS = 20_000;

/** Parses what an agent writes to the stdin of a hook. All of them use the keys of Claude Code. */
export function parseEvent(input: string): ParsedEvent {
  if (input.trim() === "") return { problem: "stdin is empty" };
  const fields = parseObject(input);
  if (fields === undefined) return { problem: "stdin is not a JSON object" };
  const { hook_event_name: name, session_id: session, cwd } = fields;
  if (!isFilled(name)) return { problem: "hook_event_name is missing" };
  if (!isFilled(session)) return { problem: `session_id is missing in ${name.slice(0, 40)}` };
  const toMoment = Object.hasOwn(MOMENTS, name) ? MOMENTS[name] : undefined;
  if (toMoment === undefined) return { problem: `unknown event ${name.slice(0, 40)}` };
  const moment = toMoment(fields);
  if (moment === undefined) return "ignored";
  return { name, session, cwd: isFilled(cwd) ? cwd : undefined, moment };
}

type Fields = Readonly<Record<string, unknown>>;

/** By the name of an event, of any agent: no two of them mean different things by one name. */
const MOMENTS: Readonly<Record<string, (fields: Fields) => HookMoment | undefined>> = {
  SessionStart: ({ source }) => (source === "compact" ? { kind: "compacted" } : { kind: "start" }),
  PreCompress: () => ({ kind: "compacted" }),
  UserPromptSubmit: message,
  BeforeAgent: message,
  PostToolUse: (fields) => call(fields, "done"),
  AfterTool: (fields) =>
    call(fields, hasValue(fieldsOf(fields["tool_response"])["error"]) ? "failed" : "done"),
  PostToolUseFailure: (fields) =>
    fields["is_interrupt"] === true ? undefined : call(fields, "failed"),
};

/** What Gemini CLI puts before the message if a hook for the start said something. */
const HOOK_CONTEXT = /^<hook_context>[^]*?<\/hook_context>\s*/;

function message({ prompt }: Fields): HookMoment | undefined {
  const written = isFilled(prompt) ? prompt.replace(HOOK_CONTEXT, "") : "";
  const text = written.slice(0, MAX_MESSAGE_CHARACTERS);
  return text.trim() === "" ? undefined : { kind: "message", text };
}

function call(fields: Fields, outcome: "done" | "failed"): HookMoment | undefined {
  const { tool_name: tool, tool_input: input, tool_response: response } = fields;
  if (!isFilled(tool)) return undefined;
  const parsed = parseCall({ tool, input: fieldsOf(input), response, outcome });
  return parsed && { kind: "call", call: parsed };
}

function parseObject(text: string): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
