import {
  type ApprovalQuestion,
  type PathDisplay,
  questionRows,
  questionTitle,
  questionWarning,
} from "@caliban/mcp/node";
import type { ServerQuestion } from "@caliban/tui";

/** A question about a requested server for the screen. A file of its own, because hardly any start has such a question. */
export function toServerQuestion(question: ApprovalQuestion, display: PathDisplay): ServerQuestion {
  return {
    title: questionTitle(question),
    rows: questionRows(question, display),
    warning: questionWarning(question),
  };
}
