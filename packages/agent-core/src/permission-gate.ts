import { terminalSafeLine } from "@caliban/common";
import { decidePermission, type PermissionDecision, type PermissionPolicy } from "./permissions.ts";
import { cancelled, declined, denied, unasked } from "./refusals.ts";
import type { PermissionRequest } from "./rule-match.ts";
import type { Tool, ToolCall } from "./tool.ts";
import { createTurns } from "./turns.ts";

/** What the person is asked before a call. */
export interface PermissionQuestion {
  readonly tool: string;
  readonly permission: string;
  readonly input: unknown;
  /** Why the question comes up, in a sentence. */
  readonly reason: string;
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
  readonly policy: PermissionPolicy;
  /** Says one line to the person. */
  readonly notify: (line: string) => void;
  /** Left out when nobody is there to answer. */
  readonly ask?: ((question: PermissionQuestion) => Promise<PermissionAnswer>) | undefined;
  readonly approvals?: PermissionApprovals | undefined;
}

/** Tells the model why a call may not run; `undefined` when it may. */
export type PermissionGate = (tool: Tool, call: ToolCall) => Promise<string | undefined>;

/** Decides over each call and asks the person where it must, one question at a time. */
export function createPermissionGate(input: PermissionGateInput): PermissionGate {
  const { policy, ask, approvals } = input;
  const questions = createTurns();
  return async (tool, call) => {
    const request = requestOf(tool, call);
    const decision = decidePermission(request, policy);
    if (decision.kind === "deny") return denied(tool.name, decision);
    if (decision.kind === "allow") return undefined;
    const subject = approvalSubject(request);
    if (await approvals?.isApproved(subject)) return undefined;
    if (ask === undefined) return unasked(request, decision);
    return await questions.take("question", async () => {
      if (call.signal?.aborted === true) return cancelled(tool.name);
      // The answer to the question before this one may have been "always".
      if (await approvals?.isApproved(subject)) return undefined;
      const answer = await ask(questionOf(request, call, decision));
      if (answer === "always") await keepApproval(subject, input);
      // Whatever else a program may hand over, such as nothing from a dialog that was closed, is no.
      return answer === "always" || answer === "once" ? undefined : declined(tool.name);
    });
  };
}

function requestOf(tool: Tool, call: ToolCall): PermissionRequest {
  const { name, permission, isReadOnly } = tool;
  return { tool: name, permission, isReadOnly, subject: tool.subjectOf?.(call.input) };
}

function questionOf(
  { tool, permission }: PermissionRequest,
  { input }: ToolCall,
  { reason }: PermissionDecision,
): PermissionQuestion {
  return { tool, permission, input, reason };
}

/** With the subject of the call in it, so that "always" for one command never covers another. */
function approvalSubject({ permission, subject }: PermissionRequest): string {
  return `permission:${permission}${subject === undefined ? "" : `(${subject})`}`;
}

/** The person said yes to this call in any case. */
async function keepApproval(
  subject: string,
  { approvals, notify }: PermissionGateInput,
): Promise<void> {
  try {
    await approvals?.approve(subject);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    notify(terminalSafeLine(`the approval of ${subject} was not kept, and holds once: ${reason}`));
  }
}
