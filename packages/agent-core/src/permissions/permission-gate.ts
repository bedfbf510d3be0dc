import { createQueue, isRecord, terminalSafeLine } from "@caliban/common";
import { categoryOf, type Notice, type PartsOf, type Tool, type ToolCall } from "../tool.ts";
import { approvalKey, offeredPrefixes, prefixKeys, scopeOf } from "./approval-keys.ts";
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
  /** The subagent that asks; omitted for the main agent. */
  readonly agent?: string | undefined;
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
  /** Patterns such as `git status *` that the user can allow instead. Together they cover the call. */
  readonly prefixes?: readonly string[] | undefined;
  /** The scope of these patterns, as a phrase such as "git status * in this workspace". */
  readonly prefixScope?: string | undefined;
}

/** Yes to this call, yes to all calls like it, yes to the offered prefixes, or no. */
export type PermissionAnswer = "once" | "always" | "prefix" | "no" | DeclinedWith;

/** No, and what the model should do instead. */
export interface DeclinedWith {
  readonly instead: string;
}

/** Remembers for one workspace what the user answered "always" to. */
export interface PermissionApprovals {
  /** Returns false, and does not throw, if the approvals cannot be read. */
  readonly isApproved: (subject: string) => Promise<boolean>;
  readonly approve: (subject: string) => Promise<void>;
  /** Whether a call can be approved for good. A call with a secret cannot. Without it, every call can. */
  readonly canStore?: ((subject: string) => Promise<boolean>) | undefined;
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

/**
 * Decides about each call, and asks the user where needed, one question at a time. Questions come in the order in which
 * the gate was called.
 */
export function createPermissionGate(input: PermissionGateInput): PermissionGate {
  const { ask } = input;
  const [inOrder, enqueue] = [createQueue(), createQueue()];
  const askInOrder = async (
    request: PermissionRequest,
    call: ToolCall,
  ): Promise<Permit | { readonly asked: Promise<Permit> }> => {
    const verdict = await decide(request, input);
    if (verdict.kind !== "ask") return verdict.permit;
    if (ask === undefined) return { refusal: unattendedRefusal(request, verdict.decision) };
    // Wrapped, so that the next call is decided while this question waits.
    return { asked: enqueue(() => askNow({ request, call, gate: input, ask })) };
  };
  return async (request, call) => {
    const permit = await inOrder(() => askInOrder(request, call));
    return "asked" in permit ? await permit.asked : permit;
  };
}

interface AskInput {
  readonly request: PermissionRequest;
  readonly call: ToolCall;
  readonly gate: PermissionGateInput;
  readonly ask: NonNullable<PermissionGateInput["ask"]>;
}

async function askNow({ request, call, gate, ask }: AskInput): Promise<Permit> {
  if (call.signal?.aborted === true) {
    const message = cancelledText(request.tool);
    return { refusal: { text: message, message } };
  }
  // The previous answer may have been "always", or the mode may have changed since.
  const current = await decide(request, gate);
  if (current.kind !== "ask") return current.permit;
  const { decision } = current;
  const answer = await ask(await toQuestion({ request, call, gate, decision }));
  if (answer === "always" || answer === "prefix") {
    await rememberApproval({ request, decision, gate, answer });
  }
  // Anything else counts as no, such as `undefined` from a dialog that was closed.
  if (answer === "always" || answer === "prefix" || answer === "once") return permitOf(decision);
  const instead = isRecord(answer) ? String(answer["instead"]) : "";
  return { refusal: declinedRefusal(request.tool, instead) };
}

type Verdict =
  | { readonly kind: "settled"; readonly permit: Permit }
  | { readonly kind: "ask"; readonly decision: PermissionDecision };

async function decide(request: PermissionRequest, gate: PermissionGateInput): Promise<Verdict> {
  const { approvals } = gate;
  const decision = decidePermission(request, currentPolicy(gate));
  if (decision.kind === "deny") {
    return { kind: "settled", permit: { refusal: deniedRefusal(request.tool, decision) } };
  }
  const { access } = decision;
  if (decision.kind === "allow") return { kind: "settled", permit: permitOf(decision) };
  const isApproved = async (wanted: SandboxAccess | undefined): Promise<boolean> => {
    const asked = { ...decision, access: wanted };
    const keys = [approvalKey(request, asked) ?? []].flat();
    return (
      (await areApproved(keys, approvals)) ||
      (await areApproved(prefixKeys(request, asked, currentPolicy(gate)), approvals))
    );
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

function currentPolicy({ policy }: PermissionGateInput): PermissionPolicy {
  return typeof policy === "function" ? policy() : policy;
}

async function areApproved(
  keys: readonly string[],
  approvals: PermissionApprovals | undefined,
): Promise<boolean> {
  for (const key of keys) if ((await approvals?.isApproved(key)) !== true) return false;
  return keys.length > 0;
}

function permitOf({ access, notes }: PermissionDecision): Permit {
  return { access, ...(notes === undefined ? {} : { notes }) };
}

function widest({ sandbox }: PermissionRequest): SandboxAccess | undefined {
  return sandbox && widestAccess(sandbox);
}

/** Describes what a call needs permission for right now. A path can lead to another file a moment later. */
export function permissionRequest(
  tool: Tool,
  { input }: ToolCall,
  partsOf?: PartsOf,
): PermissionRequest {
  const { name, permission, isReadOnly } = tool;
  return {
    tool: name,
    permission,
    isReadOnly,
    subject: tool.subjectOf?.(input),
    protectionReason: tool.protectionReason?.(input),
    parts: partsOf?.(input),
  };
}

interface QuestionInput extends Pick<AskInput, "request" | "call" | "gate"> {
  readonly decision: PermissionDecision;
}

async function toQuestion({
  request,
  call: { agent, input },
  gate,
  decision,
}: QuestionInput): Promise<PermissionQuestion> {
  const { tool, permission, subject } = request;
  const prefixes = offeredPrefixes(request, decision, currentPolicy(gate));
  const isStorable = subject === undefined || ((await gate.approvals?.canStore?.(subject)) ?? true);
  return {
    ...(agent === undefined ? {} : { agent }),
    tool,
    permission,
    input,
    ...(subject === undefined ? {} : { subject }),
    reason: decision.reason,
    alwaysScope: describeAlwaysScope(request, decision),
    allowsAlways: isStorable && approvalKey(request, decision) !== undefined,
    ...(prefixes.length === 0 || !isStorable
      ? {}
      : { prefixes, prefixScope: inWorkspace(prefixes.join(" and "), decision) }),
  };
}

interface GivenApproval extends Omit<QuestionInput, "call"> {
  readonly answer: "always" | "prefix";
}

/** Never fails: the user has approved this call in any case. */
async function rememberApproval(given: GivenApproval): Promise<void> {
  const { request, decision, gate, answer } = given;
  const { approvals, notify } = gate;
  const keys =
    answer === "prefix"
      ? prefixKeys(request, decision, currentPolicy(gate))
      : [approvalKey(request, decision) ?? []].flat();
  if (keys.length === 0) {
    const { tool, protectionReason = "" } = request;
    const reason = decision.isOnceOnly === true ? decision.reason : protectionReason;
    notify(generalNotice(`${tool} may run this once. ${reason}`));
    return;
  }
  try {
    for (const key of keys) await approvals?.approve(key);
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
  return inWorkspace(exact, { access });
}

function inWorkspace(what: string, { access }: Pick<PermissionDecision, "access">): string {
  return `${what} in this workspace${access === undefined ? "" : SCOPES[access]}`;
}

const SCOPES: Readonly<Record<SandboxAccess, string>> = {
  "read-only": ", in the sandbox",
  workspace: ", in the sandbox",
  outside: ", outside of the sandbox",
};
