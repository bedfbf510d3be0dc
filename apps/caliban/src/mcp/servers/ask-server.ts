import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Host } from "../../host.ts";
import type { DialogBody } from "../../terminal/choice-dialog.ts";
import type { Screen } from "../../terminal/screen.ts";
import type { Theme } from "../../terminal/theme.ts";
import type { ServerAnswer } from "./approve-servers.ts";
import {
  questionRows,
  questionTitle,
  questionWarning,
  type ServerQuestion,
} from "./server-question.ts";

/** Asks before a server that the repository wishes for is there. Enter, before anything is chosen, is no. */
export async function askServer(
  screen: Screen,
  host: Pick<Host, "platform" | "home">,
  question: ServerQuestion,
): Promise<ServerAnswer> {
  const { theme } = screen;
  return await screen.ask<ServerAnswer>({
    cancel: "no",
    suggested: "no",
    isUnexpected: true,
    body: (width) => renderServerQuestion(question, { theme, width, host }),
    choices: [
      { answer: "once", label: "Yes, once", keys: ["y"] },
      { answer: "always", label: "Always, while all of this stays as it is", keys: ["a"] },
      { answer: "no", label: "No", keys: ["n"] },
    ],
  });
}

/** The whole of what would be started, line by line; what does not fit on the screen is turned over, never cut. */
export function renderServerQuestion(
  question: ServerQuestion,
  look: {
    readonly theme: Theme;
    readonly width: number;
    readonly host: Pick<Host, "platform" | "home">;
  },
): DialogBody {
  const { theme, width, host } = look;
  const details = questionRows(question, host).flatMap(({ label, text }) =>
    wrapTextWithAnsi(`${theme.dim(label)} ${text}`, Math.max(1, width - 4)).map(
      (line) => `  ${theme.accent("│")} ${line}`,
    ),
  );
  return {
    title: wrapTextWithAnsi(theme.bold(questionTitle(question)), width),
    details,
    end: wrapTextWithAnsi(theme.dim(questionWarning(question)), width),
  };
}
