import { resolve } from "node:path";
import type { PermissionAnswer, PermissionQuestion } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { readTextFile } from "@caliban/common/node";
import { isRecord } from "../is-record.ts";
import type { Choice } from "./choice-dialog.ts";
import { renderPermission } from "./permission-body.ts";
import type { Screen } from "./screen.ts";

const MOST_BEFORE_BYTES = 256 * 1024;

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
    body: (width) => renderPermission(question, { theme, width, workspaceRoot, before }),
    choices: choicesFor(question),
  });
}

/** What would not be kept is not offered. */
function choicesFor(question: PermissionQuestion): readonly Choice<PermissionAnswer>[] {
  const { mayKeep = true, coversAlways } = question;
  const always = `Always: ${terminalSafeLine(coversAlways)}`;
  return [
    { answer: "once", label: "Yes, once", keys: ["y"] },
    ...(mayKeep ? [{ answer: "always", label: always, keys: ["a"] } as const] : []),
    { answer: "no", label: "No", keys: ["n"] },
  ];
}

/** What a file holds that is to be written over; `undefined` when there is none that can be read. */
async function textBefore(
  { tool, input, subject }: PermissionQuestion,
  workspaceRoot: string,
): Promise<string | undefined> {
  // Where the tool found it: what the model wrote may be as seen from another directory, or a link.
  const path = subject ?? (isRecord(input) ? input["file_path"] : undefined);
  if (tool !== "Write" || typeof path !== "string") return undefined;
  const file = await readTextFile(resolve(workspaceRoot, path), MOST_BEFORE_BYTES);
  return file.kind === "text" ? file.text : undefined;
}
