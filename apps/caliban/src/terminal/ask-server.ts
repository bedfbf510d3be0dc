import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Host } from "../host.ts";
import type { ServerAnswer } from "../mcp/servers/approve-servers.ts";
import type { QuestionRow, ServerQuestion } from "../mcp/servers/server-question.ts";
import type { DialogBody } from "./choice-dialog.ts";
import type { Screen } from "./screen.ts";
import type { Theme } from "./theme.ts";

/** Asks before a server that the repository wishes for is there. Enter, before anything is chosen, is no. */
export async function askServer(
  screen: Screen,
  host: Pick<Host, "platform" | "home">,
  question: ServerQuestion,
): Promise<ServerAnswer> {
  const { theme } = screen;
  // With the first question: hardly any start has one.
  const { questionRows, questionTitle, questionWarning } =
    await import("../mcp/servers/server-question.ts");
  const words: QuestionWords = {
    title: questionTitle(question),
    rows: questionRows(question, host),
    warning: questionWarning(question),
  };
  return await screen.ask<ServerAnswer>({
    cancel: "no",
    suggested: "no",
    isUnexpected: true,
    body: (width) => renderServerQuestion(words, { theme, width }),
    choices: [
      { answer: "once", label: "Yes, once", keys: ["y"] },
      { answer: "always", label: "Always, while all of this stays as it is", keys: ["a"] },
      { answer: "no", label: "No", keys: ["n"] },
    ],
  });
}

/** The question in words. */
interface QuestionWords {
  readonly title: string;
  readonly rows: readonly QuestionRow[];
  readonly warning: string;
}

/** The whole of what would be started, line by line; what does not fit on the screen is turned over, never cut. */
export function renderServerQuestion(
  { title, rows, warning }: QuestionWords,
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
