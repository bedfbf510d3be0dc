import type { Tool, ToolContext, ToolResult } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";

/** What the user says to a plan. */
export type PlanAnswer =
  /** Carry it out; the text differs if the user edited it. `mode` is what applies from now on. */
  | { readonly kind: "approved"; readonly plan: string; readonly mode: string }
  /** Change it first, as the user says. */
  | { readonly kind: "revise"; readonly instruction: string }
  | { readonly kind: "declined" };

export interface PlanToolInput {
  /** Whether plan mode is on now. */
  readonly isPlanning: () => boolean;
  /** Shows the plan to the user. `undefined` where no one is there to approve it. */
  readonly askPlan: () => ((plan: string) => Promise<PlanAnswer>) | undefined;
}

const NAME = "ExitPlanMode";
/** More than anyone reads. */
const MAX_CHARACTERS = 40_000;

/** Creates the tool that ends plan mode: the user approves, edits or returns a plan. */
export function createPlanTool(input: PlanToolInput): Tool {
  return {
    name: NAME,
    description: "In plan mode: show your complete plan to the user, who approves or changes it.",
    permission: "plan.exit",
    // The user answers before anything changes.
    isReadOnly: true,
    inputSchema: {
      type: "object",
      properties: { plan: { type: "string", description: "Markdown." } },
      required: ["plan"],
      additionalProperties: false,
    },
    run: async (given, context) => await proposePlan(given, context, input),
  };
}

async function proposePlan(
  given: unknown,
  { agent }: Pick<ToolContext, "agent">,
  { isPlanning, askPlan }: PlanToolInput,
): Promise<ToolResult> {
  if (agent !== undefined)
    return refused("only the main agent proposes plans. Return yours as your result.");
  const plan = isRecord(given) && Object.keys(given).length === 1 ? given["plan"] : undefined;
  if (typeof plan !== "string" || plan.trim() === "")
    return refused('call it with one field: {"plan": "…"}.');
  if (plan.length > MAX_CHARACTERS)
    return refused(`a plan has at most ${MAX_CHARACTERS.toLocaleString("en-US")} characters.`);
  if (!isPlanning()) return trusted("Plan mode is off already. Carry on.", { approved: false });
  const ask = askPlan();
  if (ask === undefined) return trusted(NO_ONE, { approved: false });
  return toResult(await ask(plan), plan);
}

const NO_ONE =
  "No one is here to approve the plan, so nothing may change. End now, with the complete plan as your answer.";

function toResult(answer: PlanAnswer, plan: string): ToolResult {
  switch (answer.kind) {
    case "approved": {
      const isEdited = answer.plan.trim() !== plan.trim();
      const which = isEdited ? ` with changes. Follow this version:\n\n${answer.plan}\n\n` : ". ";
      const text = `The user approved the plan${which}Plan mode is off (mode: ${answer.mode}). Carry it out now.`;
      return trusted(text, { approved: true, isEdited });
    }
    case "revise":
      return trusted(
        `The user wants another plan: ${answer.instruction}\nPlan mode is still on. Revise the plan, and call ${NAME} again.`,
        { approved: false },
      );
    case "declined":
      return trusted(
        "The user did not approve the plan. Plan mode is still on. Ask in one sentence what they want instead, and stop.",
        { approved: false },
      );
  }
}

function refused(reason: string): ToolResult {
  return { text: `${NAME} was not run: ${reason}`, isError: true, isTrusted: true };
}

/** The model's own plan and the user's words. */
function trusted(text: string, data: Readonly<Record<string, boolean>>): ToolResult {
  return { text, data, isTrusted: true };
}
