import { terminalSafeLine } from "@caliban/common";
import type { LoadMemoryInput } from "@caliban/memory/node";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Screen } from "../screen/screen.ts";

/** How memory asks about a file outside the workspace that an instruction file imports. */
export type AskImport = NonNullable<LoadMemoryInput["askApproval"]>;

/** Asks before a file from outside the workspace becomes part of the prompt. */
export async function askImport(
  screen: Screen,
  ...[{ subject }]: Parameters<AskImport>
): ReturnType<AskImport> {
  const { theme } = screen;
  const path = terminalSafeLine(subject);
  return await screen.ask<"once" | "always" | "no">({
    cancel: "no",
    isUnexpected: true,
    body: (width) => ({
      title: wrapTextWithAnsi(`An instruction file here imports ${theme.bold(path)}.`, width),
      details: [],
      end: wrapTextWithAnsi(
        theme.dim(
          "It is outside this workspace. If you say yes, its text becomes part of the prompt.",
        ),
        width,
      ),
    }),
    choices: [
      { answer: "once", label: "Yes, once", keys: ["y"] },
      { answer: "always", label: "Always, while the file stays as it is", keys: ["a"] },
      { answer: "no", label: "No", keys: ["n"] },
    ],
  });
}
