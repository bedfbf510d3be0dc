import { command, type CommandMessage, withCommands } from "@caliban/common";
import { formatDollars } from "@caliban/providers";

/** Asks whether to go on although a budget would be exceeded. */
export type AskBudget = (about: string) => Promise<boolean>;

/** How much the user allowed above each budget. */
export interface AllowedDollars {
  readonly session: number;
  readonly day: number;
}

/** A budget, and what counts against it. */
export interface BudgetState {
  readonly name: keyof AllowedDollars;
  /** The setting; `undefined` for no limit. */
  readonly dollars: number | undefined;
  readonly allowed: number;
  readonly spent: number;
}

/** A budget that the next request would exceed, with messages for a question and for the end of the turn. */
export interface ExceededBudget {
  readonly name: BudgetState["name"];
  /** What the user allows by going on: as much again as the budget, or as often as this request needs. */
  readonly more: number;
  readonly question: string;
  readonly stopped: CommandMessage;
}

/** The first budget that a request of this estimated cost would exceed. */
export function findExceeded(
  budgets: readonly BudgetState[],
  nextDollars: number,
): ExceededBudget | undefined {
  for (const { name, dollars, allowed, spent } of budgets) {
    const limit = (dollars ?? Infinity) + allowed;
    if (dollars === undefined || spent + nextDollars <= limit) continue;
    // Whole budgets, so that one answer is enough for this request.
    const more = dollars * Math.max(1, Math.ceil((spent + nextDollars - limit) / dollars));
    const [of, when] = name === "session" ? ["this session", "in it"] : ["today", "so far"];
    const facts = `the budget of ${formatDollars(limit)} for ${of} (${formatDollars(spent)} spent ${when})`;
    const raised = Number((limit + more).toPrecision(6));
    return {
      name,
      more,
      question: `The next request may exceed ${facts}. Go on, up to ${formatDollars(raised)}?`,
      stopped: withCommands`stopped, because the next request may exceed ${facts}. Raise it with: ${command(`settings set budget.${name} ${raised}`)}`,
    };
  }
  return undefined;
}
