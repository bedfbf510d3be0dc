import { nearest, terminalSafeLine } from "@caliban/common";
import type { PermissionDecision } from "./decide-permission.ts";
import type { PermissionRequest } from "./match-rule.ts";

/** A refused call, explained to both readers. */
export interface Refusal {
  /** For the model: what happened and how to continue. */
  readonly text: string;
  /** For the user: what happened and what would allow it. */
  readonly message: string;
}

const NO_WORKAROUND = "Do not work around this.";

/** Answers a call of a tool that does not exist. */
export function unknownToolText(name: string, known: Iterable<string>): string {
  const meant = nearest(name, known);
  const hint =
    meant === undefined ? "Use one of the tools you were given." : `Did you mean ${meant}?`;
  return `Unknown tool "${terminalSafeLine(name.slice(0, 100))}". ${hint}`;
}

/** Refuses a call that a rule, plan mode or a hook forbids. */
export function deniedRefusal(
  tool: string,
  { reason, rule, objection }: PermissionDecision,
): Refusal {
  const next =
    rule === undefined && objection === undefined
      ? "Include this step in your plan instead."
      : `${NO_WORKAROUND} Continue without it, or tell the user what you need it for.`;
  const message = `${tool} was not run. ${reason}`;
  if (objection !== undefined) {
    return { message, text: `${tool} was not run. ${objection.text}\n${next}` };
  }
  return { message, text: `${message} ${next}` };
}

const NO_ONE = "No one is available to approve it.";
const APPROVE_IN_TERMINAL = "approve it in a terminal session";

/** Refuses a call that needs approval when no one is there to give it. */
export function unattendedRefusal(
  request: PermissionRequest,
  { reason, rule, objection }: PermissionDecision,
): Refusal {
  const remedy =
    rule === undefined ? howToAllow(request) : `${APPROVE_IN_TERMINAL}, or remove that rule.`;
  const problem = `${request.tool} was not run. ${reason} ${NO_ONE}`;
  const forModel =
    objection === undefined ? problem : `${request.tool} was not run. ${objection.text}\n${NO_ONE}`;
  return {
    message: `${problem} You can ${remedy}`,
    text: `${forModel} The user can ${remedy} Continue without it, and say at the end what was left undone.`,
  };
}

/** Refuses a call that the user declined, with the instruction that they gave instead. */
export function declinedRefusal(tool: string, instead = ""): Refusal {
  const message = `${tool} was not run: you declined.`;
  const declined = `${tool} was not run: the user declined`;
  const instruction = instead.trim();
  if (instruction === "") {
    return {
      message,
      text: `${declined}. ${NO_WORKAROUND} Ask what they would like instead.`,
    };
  }
  return {
    message: `${message} Instead: ${terminalSafeLine(instruction)}`,
    text: `${declined} and wrote what to do instead:\n${instruction}`,
  };
}

/** Answers a call that was cancelled while it waited. */
export function cancelledText(tool: string): string {
  return `${tool} was not run: the call was cancelled while it was waiting.`;
}

/** Answers a call whose target is no longer the one that was permitted. */
export function changedTargetText(tool: string): string {
  return `${tool} was not run: its target changed while it was waiting, such as a path that now leads elsewhere. Check it, and repeat the call if it is still right.`;
}

/** Suggests the narrowest possible rule, as a flag and as a setting. */
function howToAllow(request: PermissionRequest): string {
  if (request.reservedReason !== undefined || request.objection !== undefined)
    return `${APPROVE_IN_TERMINAL}.`;
  // No allow rule applies to a protected call.
  if (request.protectionReason !== undefined) {
    return `${APPROVE_IN_TERMINAL}, or turn off all such protection with \`--mode yolo\`.`;
  }
  const rule = ruleFor(request);
  const argument = rule === request.permission ? rule : `'${rule}'`;
  return `allow it with \`--allow ${argument}\`, or with \`[permissions] allow = ["${rule}"]\` in settings.toml.`;
}

// No separators, which an allow rule would not match, and nothing that has a meaning in shells, TOML or patterns.
const PLAIN_SUBJECT = /^[\w .,:=@%+/-]{1,200}$/;

/** Omits the pattern if none can be written for this call. */
function ruleFor({ permission, subject }: PermissionRequest): string {
  if (subject === undefined) return permission;
  return PLAIN_SUBJECT.test(subject) ? `${permission}(${subject})` : permission;
}
