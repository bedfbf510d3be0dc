import { createQueue, terminalSafeLine } from "@caliban/common";
import { categoryOf, type Notice, type Tool, type ToolCall } from "../tool.ts";
import {
  decidePermission,
  type PermissionDecision,
  type PermissionPolicy,
} from "./decide-permission.ts";
import type { EnforcedRule } from "./enforced-rule.ts";
import type { PermissionRequest } from "./match-rule.ts";
import { type SandboxAccess, widestAccess } from "./sandbox-access.ts";
import {
  cancelledText,
  declinedRefusal,
  deniedRefusal,
  type Refusal,
  unattendedRefusal,
} from "./refusals.ts";

/** A question to the user about a call. */
export interface PermissionQuestion {
  readonly tool: string;
  readonly permission: string;
  readonly input: unknown;
  /** The subject of the call, such as a command or a path. Rule patterns are matched against it. */
  readonly subject?: string | undefined;
  /** The reason for the question, in one sentence. */
  readonly reason: string;
  /** The scope of "always", as a phrase such as "this exact command in this workspace". */
  readonly alwaysScope: string;
  /** False if "always" would only apply to this call, so it is not worth offering. */
  readonly allowsAlways?: boolean | undefined;
}

/** Yes to this call, yes to all calls like it, or no. */
export type PermissionAnswer = "once" | "always" | "no";

/** Remembers for one workspace what the user answered "always" to. */
export interface PermissionApprovals {
  /** Returns false, and does not throw, if the approvals cannot be read. */
  readonly isApproved: (subject: string) => Promise<boolean>;
  readonly approve: (subject: string) => Promise<void>;
}

/** The rules for calls, and how to reach the user. */
export interface PermissionGateInput {
  /** Pass a function if it can change during a session, such as the mode. It is called before each call. */
  readonly policy: PermissionPolicy | (() => PermissionPolicy);
  /** Shows a one-line notice to the user. */
  readonly notify: (notice: Notice) => void;
  /** Omitted if no one is there to answer. */
  readonly ask?: ((question: PermissionQuestion) => Promise<PermissionAnswer>) | undefined;
  readonly approvals?: PermissionApprovals | undefined;
}

/** A call that may run, with the access that its sandbox gives it, or one that may not. */
type Permit =
  | { readonly refusal: Refusal; readonly access?: undefined; readonly notes?: undefined }
  | {
      readonly refusal?: undefined;
      readonly access?: SandboxAccess | undefined;
      /** Enforced rules whose text goes to the model with the result. */
      readonly notes?: readonly EnforcedRule[] | undefined;
    };

/** Decides whether a call may run. */
export type PermissionGate = (request: PermissionRequest, call: ToolCall) => Promise<Permit>;

/** Decides about each call, and asks the user where needed, one question at a time. */
export function createPermissionGate(input: PermissionGateInput): PermissionGate {
  const { ask } = input;
  const enqueue = createQueue();
  return async (request, call) => {
    const verdict = await decide(request, input);
    if (verdict.kind !== "ask") return verdict.permit;
    if (ask === undefined) return { refusal: unattendedRefusal(request, verdict.decision) };
    return await enqueue(async () => {
      if (call.signal?.aborted === true) {
        const message = cancelledText(request.tool);
        return { refusal: { text: message, message } };
      }
      // The previous answer may have been "always", or the mode may have changed since.
      const current = await decide(request, input);
      if (current.kind !== "ask") return current.permit;
      const { decision } = current;
      const answer = await ask(toQuestion(request, call, decision));
      if (answer === "always") await rememberApproval({ request, decision, gate: input });
      // Anything else counts as no, such as `undefined` from a dialog that was closed.
      if (answer === "always" || answer === "once") return permitOf(decision);
      return { refusal: declinedRefusal(request.tool) };
    });
  };
}

type Verdict =
  | { readonly kind: "settled"; readonly permit: Permit }
  | { readonly kind: "ask"; readonly decision: PermissionDecision };

async function decide(
  request: PermissionRequest,
  { policy, approvals }: PermissionGateInput,
): Promise<Verdict> {
  const decision = decidePermission(request, typeof policy === "function" ? policy() : policy);
  if (decision.kind === "deny") {
    return { kind: "settled", permit: { refusal: deniedRefusal(request.tool, decision) } };
  }
  const { access } = decision;
  if (decision.kind === "allow") return { kind: "settled", permit: permitOf(decision) };
  const isApproved = async (wanted: SandboxAccess | undefined): Promise<boolean> => {
    const key = approvalKey(request, { ...decision, access: wanted });
    return key !== undefined && (await approvals?.isApproved(key)) === true;
  };
  // What may run outside of the sandbox may run there, too.
  if (await isApproved(undefined)) {
    return { kind: "settled", permit: permitOf({ ...decision, access: widest(request) }) };
  }
  if (access === "workspace" && (await isApproved(access))) {
    return { kind: "settled", permit: permitOf(decision) };
  }
  return { kind: "ask", decision };
}

function permitOf({ access, notes }: PermissionDecision): Permit {
  return { access, ...(notes === undefined ? {} : { notes }) };
}

function widest({ sandbox }: PermissionRequest): SandboxAccess | undefined {
  return sandbox && widestAccess(sandbox);
}

/** Describes what a call needs permission for right now. A path can lead to another file a moment later. */
export function permissionRequest(tool: Tool, { input }: ToolCall): PermissionRequest {
  const { name, permission, isReadOnly } = tool;
  return {
    tool: name,
    permission,
    isReadOnly,
    subject: tool.subjectOf?.(input),
    protectionReason: tool.protectionReason?.(input),
  };
}

function toQuestion(
  request: PermissionRequest,
  { input }: ToolCall,
  decision: PermissionDecision,
): PermissionQuestion {
  const { tool, permission, subject } = request;
  return {
    tool,
    permission,
    input,
    ...(subject === undefined ? {} : { subject }),
    reason: decision.reason,
    alwaysScope: describeAlwaysScope(request, decision),
    allowsAlways: approvalKey(request, decision) !== undefined,
  };
}

interface GivenApproval {
  readonly request: PermissionRequest;
  readonly decision: PermissionDecision;
  readonly gate: PermissionGateInput;
}

/** Never fails: the user has approved this call in any case. */
async function rememberApproval({ request, decision, gate }: GivenApproval): Promise<void> {
  const { approvals, notify } = gate;
  const key = approvalKey(request, decision);
  if (key === undefined) {
    const { tool, protectionReason = "" } = request;
    const reason = decision.isOnceOnly === true ? decision.reason : protectionReason;
    notify(generalNotice(`${tool} may run this once. ${reason}`));
    return;
  }
  try {
    await approvals?.approve(key);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // Without the subject, which the user has just seen: a command may contain a secret.
    notify(
      generalNotice(
        `could not save the approval of ${scopeOf(request)}, so it only applies once: ${reason}`,
      ),
    );
  }
}

function generalNotice(text: string): Notice {
  return { kind: "general", message: terminalSafeLine(text) };
}

/**
 * The key under which "always" is stored. It contains the subject of the call, so that it never covers another command or
 * file, and it differs for a call in the sandbox. `undefined` for a call that is only ever approved once.
 */
function approvalKey(
  request: PermissionRequest,
  { access, isOnceOnly }: PermissionDecision,
): string | undefined {
  if (request.protectionReason !== undefined || isOnceOnly === true) return undefined;
  const { subject } = request;
  const key = `permission:${scopeOf(request)}${subject === undefined ? "" : `(${subject})`}`;
  return isConfined(access) ? `${key} in the sandbox` : key;
}

function isConfined(access: SandboxAccess | undefined): boolean {
  return access === "workspace" || access === "read-only";
}

const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ["shell", "this exact command"],
  ["fs", "this exact path"],
  ["web", "every page of this host"],
]);

function describeAlwaysScope(
  request: PermissionRequest,
  { access, isOnceOnly }: PermissionDecision,
): string {
  const { permission, subject, protectionReason } = request;
  if (protectionReason !== undefined || isOnceOnly === true)
    return "this call only, because it always needs approval";
  if (subject === undefined) return `every call that needs ${scopeOf(request)} in this workspace`;
  const exact = SUBJECTS.get(categoryOf(permission)) ?? `${scopeOf(request)} with exactly this`;
  return `${exact} in this workspace${access === undefined ? "" : SCOPES[access]}`;
}

const SCOPES: Readonly<Record<SandboxAccess, string>> = {
  "read-only": ", in the sandbox",
  workspace: ", in the sandbox",
  outside: ", outside of the sandbox",
};

/** All tools of an MCP server share one permission, but approving one of them must not approve the others. */
function scopeOf({ tool, permission }: PermissionRequest): string {
  return categoryOf(permission) === "mcp" ? `${permission}/${tool}` : permission;
}
