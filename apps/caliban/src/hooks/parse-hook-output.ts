import { isRecord, nearest, parseJson } from "@caliban/common";
import type { HookEvent } from "@caliban/settings";
import type { HookFailure } from "./hook-failure.ts";

/** What a hook decided and had to say. */
export interface HookAnswer {
  readonly decision?: "allow" | "ask" | "deny" | undefined;
  readonly reason?: string | undefined;
  /** For the model. */
  readonly context?: string | undefined;
}

const DECISIONS = ["allow", "ask", "deny"] as const;
const DECISION_KEYS = ["permissionDecision", "permissionDecisionReason"] as const;
const CONTEXT_KEYS = ["additionalContext"] as const;

/** What a hook of each event may print. */
const KEYS: Readonly<Record<HookEvent, readonly string[]>> = {
  PreToolUse: DECISION_KEYS,
  PostToolUse: CONTEXT_KEYS,
  UserPromptSubmit: CONTEXT_KEYS,
  SessionStart: CONTEXT_KEYS,
  Stop: [],
};

/** Parses what a hook printed. An unknown key is a failure, because it may be a misspelled decision. */
export function parseHookOutput(
  event: HookEvent,
  stdout: string,
): { readonly answer: HookAnswer } | { readonly failure: HookFailure } {
  if (stdout.trim() === "") return { answer: {} };
  const value = parseJson(stdout.replace(/^\uFEFF/, ""));
  if (!isRecord(value)) return { failure: { kind: "invalid-json" } };
  const fields = flattened(event, value);
  const problem = typeof fields === "string" ? fields : findProblem(event, fields);
  if (problem !== undefined) return { failure: { kind: "invalid-shape", problem } };
  return { answer: toAnswer(fields) };
}

type Fields = Readonly<Record<string, unknown>>;

/** Accepts the keys as such, or inside `hookSpecificOutput`, as hooks of Claude Code have them. */
function flattened(event: HookEvent, value: Fields): Fields | string {
  const { hookSpecificOutput: inner = {}, ...outer } = value;
  if (!isRecord(inner)) return "hookSpecificOutput is not an object";
  const { hookEventName = event, ...fields } = inner;
  if (hookEventName !== event) return `hookEventName is not "${event}"`;
  return { ...outer, ...fields };
}

function findProblem(event: HookEvent, fields: Fields): string | undefined {
  const known = KEYS[event];
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined) return describeUnknown(event, unknown);
  const { permissionDecision: decision } = fields;
  if (decision !== undefined && !DECISIONS.some((one) => one === decision))
    return 'permissionDecision is not "deny", "ask" or "allow"';
  const notText = ["permissionDecisionReason", "additionalContext"].find(
    (key) => fields[key] !== undefined && typeof fields[key] !== "string",
  );
  return notText === undefined ? undefined : `${notText} is not a string`;
}

function describeUnknown(event: HookEvent, key: string): string {
  const known = KEYS[event];
  const shown = JSON.stringify(key.slice(0, 60));
  if (known.length === 0) return `printed the key ${shown}, but ${event} has no effect to ask for`;
  const meant = nearest(key, known);
  const hint = meant === undefined ? `its keys are ${known.join(", ")}` : `did you mean ${meant}?`;
  return `printed the unknown key ${shown}; ${hint}`;
}

function toAnswer(fields: unknown): HookAnswer {
  // The fields were checked above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { permissionDecision, permissionDecisionReason, additionalContext } = fields as {
    readonly permissionDecision?: HookAnswer["decision"];
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
  };
  return {
    decision: permissionDecision,
    reason: permissionDecisionReason,
    context: additionalContext,
  };
}
