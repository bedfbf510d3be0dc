import { resolve } from "node:path";
import type { PermissionAnswer, PermissionQuestion } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { readTextFile } from "@caliban/common/node";
import { isRecord } from "../is-record.ts";
import { renderPermission } from "./permission-body.ts";
import type { Screen } from "./screen.ts";

const MOST_BEFORE_BYTES = 256 * 1024;
/** Lines of the dialog besides the details, and a few of what was before it. */
const OTHER_ROWS = 12;

/** Asks before a call: once, always, or no. */
export async function askPermission(
  screen: Screen,
  question: PermissionQuestion,
): Promise<PermissionAnswer> {
  const { theme } = screen;
  const { workspaceRoot } = screen.state();
  const before = await textBefore(question, workspaceRoot);
  return await screen.ask<PermissionAnswer>({
    cancel: "no",
    isUnexpected: true,
    body: (width) => {
      const most = Math.max(4, screen.rows() - OTHER_ROWS);
      return renderPermission(question, { theme, width, most, workspaceRoot, before });
    },
    choices: [
      { answer: "once", label: "Yes, once", keys: ["y"] },
      {
        answer: "always",
        label: `Always: ${terminalSafeLine(question.coversAlways)}`,
        keys: ["a"],
      },
      { answer: "no", label: "No", keys: ["n"] },
    ],
  });
}

/** What a file holds that is to be written over; `undefined` when there is none that can be read. */
async function textBefore(
  { tool, input }: PermissionQuestion,
  workspaceRoot: string,
): Promise<string | undefined> {
  const path = isRecord(input) ? input["file_path"] : undefined;
  if (tool !== "Write" || typeof path !== "string") return undefined;
  const file = await readTextFile(resolve(workspaceRoot, path), MOST_BEFORE_BYTES);
  return file.kind === "text" ? file.text : undefined;
}
