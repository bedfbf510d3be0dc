import type { PlanAnswer } from "@caliban/tools-builtin";
import type { ConversationSetup, ConversationState } from "../turn/state.ts";

/** Lets the tool that ends plan mode reach the conversation. */
export function linkPlan(state: ConversationState, setup: ConversationSetup): void {
  const { askPlan } = setup;
  const ask = async (plan: string): Promise<PlanAnswer> => {
    const answer = (await askPlan?.(plan)) ?? { kind: "declined" };
    if (answer.kind === "approved") {
      state.mode = answer.mode;
      // The result of the call says so.
      state.isToldPlan = false;
    }
    return answer;
  };
  setup.current.plan = {
    isPlanning: () => state.mode === "plan",
    askPlan: () => (askPlan === undefined ? undefined : ask),
  };
}
