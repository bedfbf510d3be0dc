import type { PermissionMode } from "@caliban/agent-core";
import type { PlanAnswer } from "@caliban/tools-builtin";

/** Shows a plan to the user, who approves it with a mode to go on in, edits it, or says what to change. */
export type AskPlan = (
  plan: string,
) => Promise<
  | (Extract<PlanAnswer, { readonly kind: "approved" }> & { readonly mode: PermissionMode })
  | Exclude<PlanAnswer, { readonly kind: "approved" }>
>;
