import { terminalSafeLine } from "@caliban/common";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Screen } from "../screen/screen.ts";

/** Asks before a file from outside the workspace becomes part of the prompt. */
export async function askImport(screen: Screen, path: string): Promise<"once" | "always" | "no"> {
  const { theme } = screen;
  const shown = theme.bold(terminalSafeLine(path));
  return await screen.ask<"once" | "always" | "no">({
    cancel: "no",
    isUnexpected: true,
    body: (width) => ({
      title: wrapTextWithAnsi(`An instruction file in this project imports ${shown}.`, width),
      details: [],
      end: wrapTextWithAnsi(
        theme.dim(
          "It is outside the workspace. If you agree, its text becomes part of the prompt.",
        ),
        width,
      ),
    }),
    choices: [
      { answer: "once", label: "Yes, once", keys: ["y"] },
      { answer: "always", label: "Always, until the file changes", keys: ["a"] },
      { answer: "no", label: "No", keys: ["n"] },
    ],
  });
}
