import type { Message } from "@caliban/agent-core";
import { spellCommands, userDirectories } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { requestCost } from "@caliban/providers";
import type { DaySpending } from "../budget/day-spending.ts";
import { localDay } from "./local-day.ts";
import type { ConversationSetup, ConversationState } from "./state.ts";
import { windowParts } from "./window-use.ts";

/**
 * Asks before a request that would exceed a budget. Returns a message if the turn must end: the user does not want to go
 * on, or no one can be asked.
 */
export async function checkBudgets(
  state: ConversationState,
  { askBudget }: Pick<ConversationSetup, "askBudget">,
  messages: readonly Message[],
): Promise<string | undefined> {
  const { values } = state.agent.project.settings;
  const [session, day] = [values["budget.session"], values["budget.day"]];
  if (session === undefined && day === undefined) return undefined;
  const next = nextDollars(state, messages);
  if (next === 0) return undefined;
  await recordSpending(state);
  const { findExceeded } = await import("../budget/check-budget.ts");
  const spentToday = day === undefined ? 0 : ((await openDay(state))?.read() ?? 0);
  for (;;) {
    const { allowedDollars: allowed } = state;
    const budgets = [
      { name: "session", dollars: session, allowed: allowed.session, spent: state.cost.dollars },
      { name: "day", dollars: day, allowed: allowed.day, spent: spentToday },
    ] as const;
    const exceeded = findExceeded(budgets, next);
    if (exceeded === undefined) return undefined;
    if ((await askBudget?.(exceeded.question)) !== true)
      return spellCommands(exceeded.stopped, state.agent.project.host.command);
    const { name, more } = exceeded;
    state.allowedDollars = { ...allowed, [name]: allowed[name] + more };
  }
}

/** An estimate: the whole conversation as input at full price. The length of the answer is not known yet. */
function nextDollars({ agent, model }: ConversationState, messages: readonly Message[]): number {
  const inputTokens = windowParts(agent, messages).reduce((sum, { tokens }) => sum + tokens, 0);
  const usage = { inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return requestCost(model.modelName, usage) ?? 0;
}

/** Adds what was spent since the last call to the day's sum. A disk that cannot be written never stops a conversation. */
export async function recordSpending(state: ConversationState): Promise<void> {
  const dollars = state.cost.dollars - state.recordedDollars;
  if (dollars <= 0) return;
  state.recordedDollars = state.cost.dollars;
  try {
    await (await openDay(state))?.add(dollars);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/** `undefined` without a state directory. */
async function openDay({ agent }: ConversationState): Promise<DaySpending | undefined> {
  const { host } = agent.project;
  const { state: directory } = userDirectories(host);
  if (directory === undefined) return undefined;
  const { openDaySpending } = await import("../budget/day-spending.ts");
  return openDaySpending(directory, localDay(host.now()));
}
