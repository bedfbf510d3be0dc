import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { DialogBody } from "../dialogs/choice-dialog.ts";
import type { Screen } from "../screen/screen.ts";
import type { Theme } from "../theme.ts";

/** A question about an MCP server that the repository requests; all texts are safe for a terminal. */
export interface ServerQuestion {
  readonly title: string;
  readonly rows: readonly { readonly label: string; readonly text: string }[];
  readonly warning: string;
}

/** Asks before a requested server is started. Until the user selects something else, Enter means no. */
export async function askServer(
  screen: Screen,
  question: ServerQuestion,
): Promise<"once" | "always" | "no"> {
  const { theme } = screen;
  return await screen.ask<"once" | "always" | "no">({
    cancel: "no",
    suggested: "no",
    isUnexpected: true,
    body: (width) => renderServerQuestion(question, { theme, width }),
    choices: [
      { answer: "once", label: "Yes, once", keys: ["y"] },
      { answer: "always", label: "Always, until any of this changes", keys: ["a"] },
      { answer: "no", label: "No", keys: ["n"] },
    ],
  });
}

/** Everything that would be started, line by line; what does not fit is on further pages, never left out. */
export function renderServerQuestion(
  { title, rows, warning }: ServerQuestion,
  { theme, width }: { readonly theme: Theme; readonly width: number },
): DialogBody {
  const details = rows.flatMap(({ label, text }) =>
    wrapTextWithAnsi(`${theme.dim(label)} ${text}`, Math.max(1, width - 4)).map(
      (line) => `  ${theme.accent("│")} ${line}`,
    ),
  );
  return {
    title: wrapTextWithAnsi(theme.bold(title), width),
    details,
    end: wrapTextWithAnsi(theme.dim(warning), width),
  };
}
