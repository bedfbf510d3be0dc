import type { RowOf } from "./setting-row.ts";

/** The keys of `[budget]`. */
export interface BudgetValues {
  readonly "budget.session": number | undefined;
  readonly "budget.day": number | undefined;
}

/** The rows of `[budget]`. */
export const BUDGET_KEYS: { readonly [Key in keyof BudgetValues]: RowOf<BudgetValues[Key]> } = {
  "budget.session": {
    kind: "dollars",
    default: undefined,
    project: "none",
    doc: "How much a conversation may cost before caliban asks. With `-p` it stops instead, with exit code 6. Requests to models whose price is not known are not counted.",
  },
  "budget.day": {
    kind: "dollars",
    default: undefined,
    project: "none",
    doc: "The same for everything that you spend in a day, in all projects.",
  },
};
