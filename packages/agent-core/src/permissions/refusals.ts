import { nearest, terminalSafeLine } from "@caliban/common";
import type { PermissionDecision } from "./decide-permission.ts";
import type { PermissionRequest } from "./match-rule.ts";

/** Why a call was not run for want of permission, in words for each of those who have to know. */
export interface Refusal {
  /** For the model: what happened, and how to go on. */
  readonly text: string;
  /** For the person: what happened, and what would allow it. */
  readonly sentence: string;
}

const NO_WAY_ROUND = "Do not try to reach the same end in another way:";

/** For a name that is no tool's. */
export function unknownTool(name: string, known: Iterable<string>): string {
  const meant = nearest(name, known);
  const hint =
    meant === undefined ? "Use one of the tools you were given." : `Did you mean ${meant}?`;
  return `There is no tool named ${terminalSafeLine(name.slice(0, 100))}. ${hint}`;
}

/** For a call that a rule or plan mode forbids. */
export function denied(tool: string, { reason, rule }: PermissionDecision): Refusal {
  const next =
    rule === undefined
      ? "Make this step a part of your plan instead."
      : `${NO_WAY_ROUND} go on without it, or tell the person what you need it for.`;
  const sentence = `${tool} was not run. ${reason}`;
  return { sentence, text: `${sentence} ${next}` };
}

const ON_A_TERMINAL = "approve it in a session on a terminal";

/** For a call that the person would have to be asked about when nobody is there. */
export function unasked(request: PermissionRequest, { reason, rule }: PermissionDecision): Refusal {
  const remedy =
    rule === undefined ? howToAllow(request) : `${ON_A_TERMINAL}, or take that rule away.`;
  const what = `${request.tool} was not run. ${reason} Nobody is there to be asked.`;
  return {
    sentence: `${what} You can ${remedy}`,
    text: `${what} The person can ${remedy} Go on without it, and say at the end what was left undone.`,
  };
}

/** For a call that the person said no to. */
export function declined(tool: string): Refusal {
  return {
    sentence: `${tool} was not run: you said no.`,
    text: `${tool} was not run: the person said no. ${NO_WAY_ROUND} ask what they would like instead.`,
  };
}

/** For a call that was cancelled while it waited. */
export function cancelled(tool: string): string {
  return `${tool} was not run: the call was cancelled while it waited.`;
}

/** For a call that is about something else by now than what it was allowed for. */
export function changedMeanwhile(tool: string): string {
  return `${tool} was not run: what it is about changed meanwhile, such as a path that leads elsewhere now. Look again, and call it again if it is still right.`;
}

/** The narrowest rule there is, as a flag and as a setting. */
function howToAllow(request: PermissionRequest): string {
  // No rule of the allow list helps there.
  if (request.protectedBecause !== undefined) {
    return `${ON_A_TERMINAL}, or lift every such protection with \`--mode yolo\`.`;
  }
  const rule = ruleFor(request);
  const argument = rule === request.permission ? rule : `'${rule}'`;
  return `allow it with \`--allow ${argument}\`, or with \`[permissions] allow = ["${rule}"]\` in settings.toml.`;
}

// Neither a separator, which an allow rule would not match, nor anything that shells, TOML or patterns read otherwise.
const PLAIN_SUBJECT = /^[\w .,:=@%+/-]{1,200}$/;

/** Without a pattern where none could be written for this call. */
function ruleFor({ permission, subject }: PermissionRequest): string {
  if (subject === undefined) return permission;
  return PLAIN_SUBJECT.test(subject) ? `${permission}(${subject})` : permission;
}
