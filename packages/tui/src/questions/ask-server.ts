import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Host } from "../../../../apps/caliban/src/host.ts";
import type { ApprovalAnswer } from "../../../mcp/src/node/trust/approve-servers.ts";
import type { QuestionRow, ApprovalQuestion } from "../../../mcp/src/trust/approval-question.ts";
import type { DialogBody } from "../dialogs/choice-dialog.ts";
import type { Screen } from "../screen/screen.ts";
import type { Theme } from "../theme.ts";

/** Asks before a server that the repository wishes for is there. Enter, before anything is chosen, is no. */
export async function askServer(
  screen: Screen,
  host: Pick<Host, "platform" | "home">,
  question: ApprovalQuestion,
): Promise<ApprovalAnswer> {
  const { theme } = screen;
  // With the first question: hardly any start has one.
  const { questionRows, questionTitle, questionWarning } =
    await import("../../../mcp/src/trust/approval-question.ts");
  const words: QuestionWords = {
    title: questionTitle(question),
    rows: questionRows(question, host),
    warning: questionWarning(question),
  };
  return await screen.ask<ApprovalAnswer>({
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
