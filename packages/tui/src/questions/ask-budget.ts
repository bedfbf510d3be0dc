import { terminalSafeLine } from "@caliban/common";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Screen } from "../screen/screen.ts";

/** Asks before a request that would exceed a budget. `about` says which one. */
export async function askBudget(screen: Screen, about: string): Promise<boolean> {
  const { theme } = screen;
  return await screen.ask<boolean>({
    cancel: false,
    isUnexpected: true,
    body: (width) => ({
      title: wrapTextWithAnsi(theme.bold(terminalSafeLine(about)), width),
      details: [],
      end: wrapTextWithAnsi(theme.dim("Amounts are estimates at list prices."), width),
    }),
    choices: [
      { answer: true, label: "Continue", keys: ["y"] },
      { answer: false, label: "Stop", keys: ["n"] },
    ],
  });
}
