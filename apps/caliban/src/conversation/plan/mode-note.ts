import type { Message, PermissionMode, Tool } from "@caliban/agent-core";
import { withoutHookTexts } from "@caliban/common";

/** What the model needs to be told about, and what it has been told. */
export interface ModeFacts {
  readonly mode: PermissionMode;
  /** Whether the model believes that plan mode is on. */
  readonly isToldPlan: boolean;
  /** Whether someone can approve a plan. */
  readonly canApprove: boolean;
  readonly tools: readonly Pick<Tool, "name">[];
}

const PLAN_TOOL = "ExitPlanMode";
const ON = "[Plan mode is on: ";
const OFF = "[Plan mode is off ";

/**
 * Tells the model that plan mode was turned on or off. Part of a message, because the prompt never changes. The other modes
 * are only about what the user is asked, and make no difference to the model.
 */
export function modeNote({ mode, isToldPlan, canApprove, tools }: ModeFacts): string | undefined {
  const isPlan = mode === "plan";
  if (isPlan === isToldPlan) return undefined;
  if (!isPlan) return `${OFF}(mode: ${mode}). You may make changes again.]`;
  const hasTool = canApprove && tools.some(({ name }) => name === PLAN_TOOL);
  return `${ON}change nothing, whatever was said before. Look around, then ${hasTool ? WITH_TOOL : AS_ANSWER} Say which files change, how, and how you will verify it.]`;
}

const WITH_TOOL = `call ${PLAN_TOOL} with your plan instead of answering; the user approves or changes it.`;
const AS_ANSWER = "answer with your plan.";

/** For a subagent, which proposes nothing. */
export const SUBAGENT_PLAN_NOTE: string = `${ON}change nothing. Your result becomes part of a plan.]`;

/** What the model was told last in a conversation. Nothing, if a summary replaced it. */
export function wasToldPlan(messages: readonly Message[]): boolean {
  for (const message of messages.toReversed()) {
    if (message.role === "user" && message.note !== undefined) {
      const note = withoutHookTexts(message.note);
      const [on, off] = [ON, OFF].map((mark) => note.lastIndexOf(mark));
      if (on !== off) return (on ?? -1) > (off ?? -1);
    }
    if (message.role === "tool" && message.results.some(isApproval)) return false;
  }
  return false;
}

function isApproval({
  name,
  facts,
}: {
  readonly name: string;
  readonly facts?: object | undefined;
}): boolean {
  return name === PLAN_TOOL && facts !== undefined && Reflect.get(facts, "approved") === true;
}
