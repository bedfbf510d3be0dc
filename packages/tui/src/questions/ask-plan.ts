import { terminalSafe } from "@caliban/common";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Screen } from "../screen/screen.ts";
import { createAnswerRenderer } from "../transcript/answer-renderer.ts";
import { askText } from "./ask-text.ts";

/** What the user says to a plan. */
export type PlanDecision =
  | {
      readonly kind: "approved";
      readonly plan: string;
      readonly mode: "default" | "accept-edits";
    }
  | { readonly kind: "revise"; readonly instruction: string }
  | { readonly kind: "declined" };

/** Lets the user change a plan; returns the new text. */
export type EditPlan = (plan: string) => Promise<string>;

type PlanChoice = "default" | "accept-edits" | "edit" | "revise" | "no";

/** Shows a plan as Markdown, and asks what to do with it. An edited plan is shown again. */
export async function askPlan(
  screen: Screen,
  proposed: string,
  edit: EditPlan,
): Promise<PlanDecision> {
  let plan = proposed;
  for (;;) {
    const choice = await choose(screen, plan, plan !== proposed);
    if (choice === "no") return { kind: "declined" };
    if (choice === "default" || choice === "accept-edits")
      return { kind: "approved", plan, mode: choice };
    if (choice === "edit") {
      const edited = await edit(plan);
      // An empty file means that the user changed their mind, as with a commit message.
      plan = edited.trim() === "" ? plan : edited;
      continue;
    }
    const instruction = await askText(screen, "What should change?");
    if (instruction !== undefined) return { kind: "revise", instruction };
  }
}

async function choose(screen: Screen, plan: string, isEdited: boolean): Promise<PlanChoice> {
  const { theme } = screen;
  const renderer = createAnswerRenderer(theme);
  const title = `The agent proposes a plan${isEdited ? ", which you edited" : ""}:`;
  return await screen.ask<PlanChoice>({
    cancel: "no",
    isUnexpected: true,
    body: (width) => ({
      title: wrapTextWithAnsi(theme.bold(title), width),
      details: ["", ...renderer.render(terminalSafe(plan), width).flat(), ""],
      end: [],
    }),
    choices: [
      { answer: "default", label: "Yes, carry it out, and ask before changes", keys: ["y"] },
      { answer: "accept-edits", label: "Yes, and edit files without asking", keys: ["a"] },
      { answer: "edit", label: "Edit the plan", keys: ["e"] },
      { answer: "revise", label: "Say what to change", keys: ["i"] },
      { answer: "no", label: "No, keep planning", keys: ["n"] },
    ],
  });
}
