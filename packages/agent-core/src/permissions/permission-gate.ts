import { terminalSafeLine } from "@caliban/common";
import { decidePermission, type PermissionDecision, type PermissionPolicy } from "./decide-permission.ts";
import { cancelled, declined, denied, type Refusal, unasked } from "./refusals.ts";
import type { PermissionRequest } from "./match-rule.ts";
import { type Tool, type ToolCall, categoryOf } from "../tool.ts";
import { createTurns } from "../loop/keyed-queue.ts";

/** What the person is asked before a call. */
export interface PermissionQuestion {
  readonly tool: string;
  readonly permission: string;
  readonly input: unknown;
  /** What the call is about, such as a command or a path: what patterns of rules are matched with. */
  readonly subject?: string | undefined;
  /** Why the question comes up, in a sentence. */
  readonly reason: string;
  /** What "always" would cover, as a phrase such as "this exact command in this workspace". */
  readonly coversAlways: string;
  /** False when "always" would hold for this call only, so that it is not worth offering. */
  readonly mayKeep?: boolean | undefined;
}

/** Yes to this call, yes to all like it, or no. */
export type PermissionAnswer = "once" | "always" | "no";

/** What the person said "always" to, kept for one workspace by whoever hands it in. */
export interface PermissionApprovals {
  /** What cannot be read is not approved; it does not throw for that. */
  readonly isApproved: (subject: string) => Promise<boolean>;
  readonly approve: (subject: string) => Promise<void>;
}

/** What decides over calls, and whom to ask. */
export interface PermissionGateInput {
  /** A function where it can change in mid-session, as with another mode: it is asked before each call. */
  readonly policy: PermissionPolicy | (() => PermissionPolicy);
  /** Says one line to the person. */
  readonly notify: (line: string) => void;
  /** Left out when nobody is there to answer. */
  readonly ask?: ((question: PermissionQuestion) => Promise<PermissionAnswer>) | undefined;
  readonly approvals?: PermissionApprovals | undefined;
}

/** Tells why a call that asks leave for this may not run; `undefined` when it may. */
export type PermissionGate = (
  request: PermissionRequest,
  call: ToolCall,
) => Promise<Refusal | undefined>;

/** Decides over each call and asks the person where it must, one question at a time. */
export function createPermissionGate(input: PermissionGateInput): PermissionGate {
  const { ask } = input;
  const questions = createTurns();
  return async (request, call) => {
    const verdict = await verdictOn(request, input);
    if (verdict.kind !== "ask") return verdict.refusal;
    if (ask === undefined) return unasked(request, verdict.decision);
    return await questions.take("question", async () => {
      if (call.signal?.aborted === true) {
        const sentence = cancelled(request.tool);
        return { text: sentence, sentence };
      }
      // The answer to the question before this one may have been "always", or the mode is another one by now.
      const current = await verdictOn(request, input);
      if (current.kind !== "ask") return current.refusal;
      const answer = await ask(questionOf(request, call, current.decision));
      if (answer === "always") await keepApproval(request, input);
      // Whatever else a program may hand over, such as nothing from a dialog that was closed, is no.
      return answer === "always" || answer === "once" ? undefined : declined(request.tool);
    });
  };
}

type Verdict =
  | { readonly kind: "settled"; readonly refusal: Refusal | undefined }
  | { readonly kind: "ask"; readonly decision: PermissionDecision };

async function verdictOn(
  request: PermissionRequest,
  { policy, approvals }: PermissionGateInput,
): Promise<Verdict> {
  const decision = decidePermission(request, typeof policy === "function" ? policy() : policy);
  if (decision.kind === "deny") {
    return { kind: "settled", refusal: denied(request.tool, decision) };
  }
  if (decision.kind === "allow") return { kind: "settled", refusal: undefined };
  const key = approvalKey(request);
  const isApproved = key !== undefined && (await approvals?.isApproved(key));
  return isApproved === true ? { kind: "settled", refusal: undefined } : { kind: "ask", decision };
}

/** What a call asks leave for, as things are now: a path can mean another file a moment later. */
export function requestOf(tool: Tool, { input }: ToolCall): PermissionRequest {
  const { name, permission, isReadOnly } = tool;
  return {
    tool: name,
    permission,
    isReadOnly,
    subject: tool.subjectOf?.(input),
    protectedBecause: tool.protects?.(input),
  };
}

function questionOf(
  request: PermissionRequest,
  { input }: ToolCall,
  { reason }: PermissionDecision,
): PermissionQuestion {
  const { tool, permission, subject } = request;
  const coversAlways = coveredByAlways(request);
  return {
    tool,
    permission,
    input,
    ...(subject === undefined ? {} : { subject }),
    reason,
    coversAlways,
    mayKeep: approvalKey(request) !== undefined,
  };
}

/** The person said yes to this call in any case. */
async function keepApproval(
  request: PermissionRequest,
  { approvals, notify }: PermissionGateInput,
): Promise<void> {
  const key = approvalKey(request);
  if (key === undefined) {
    const { tool, protectedBecause = "" } = request;
    notify(terminalSafeLine(`${tool} may run this once. ${protectedBecause}`));
    return;
  }
  try {
    await approvals?.approve(key);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    notify(terminalSafeLine(`the approval of ${key} was not kept, and holds once: ${reason}`));
  }
}

/**
 * Under what "always" is kept, with the subject of the call in it, so that it never covers another command or another file.
 * `undefined` for a protected call, whose yes counts once.
 */
export function approvalKey(request: PermissionRequest): string | undefined {
  if (request.protectedBecause !== undefined) return undefined;
  const { subject } = request;
  return `permission:${scopeOf(request)}${subject === undefined ? "" : `(${subject})`}`;
}

const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ["shell", "this exact command"],
  ["fs", "this one path"],
]);

/** What "always" covers, for the one who is asked. */
export function coveredByAlways(request: PermissionRequest): string {
  const { permission, subject, protectedBecause } = request;
  if (protectedBecause !== undefined) return "this call only, because it is asked about every time";
  if (subject === undefined) return `every call that needs ${scopeOf(request)} in this workspace`;
  const named = SUBJECTS.get(categoryOf(permission)) ?? `${scopeOf(request)} with exactly this`;
  return `${named} in this workspace`;
}

/** Tools of one server have one permission, and yes to one of them is no yes to the others. */
function scopeOf({ tool, permission }: PermissionRequest): string {
  return categoryOf(permission) === "mcp" ? `${permission}/${tool}` : permission;
}
