import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openTopicsForWriting, USER } from "./open-topics.ts";
import { resultJson, topicNotFound } from "./topic-output.ts";

/** `caliban memory mv SLUG NEW`: renames a topic with its history and updates the links to it. */
export async function renameTopic(invocation: Invocation): Promise<CommandResult> {
  const [from = "", to = ""] = invocation.operands;
  const { store, warnings } = await openTopicsForWriting(invocation);
  const result = await store.rename({ from, to, author: USER });
  if (result.kind === "missing") return await topicNotFound(invocation, from, store);
  const json = invocation.json ? `${terminalSafeJson(resultJson(result))}\n` : undefined;
  if (result.kind === "conflict") {
    const slug = terminalSafeLine(result.current.slug);
    const message = `topic ${slug} already exists; remove it first, or choose another name`;
    const stderr = [...warnings, message];
    return { stdout: json ?? "", stderr, exitCode: EXIT.failed };
  }
  const { slug, relinked, change } = result;
  const links =
    relinked.length === 0 ? "" : `; updated links in ${relinked.map(terminalSafeLine).join(", ")}`;
  const message =
    change === undefined
      ? `${terminalSafeLine(slug)} already has that name\n`
      : `renamed ${terminalSafeLine(from)} to ${terminalSafeLine(slug)}${links}\n`;
  return { stdout: json ?? message, stderr: warnings, exitCode: EXIT.done };
}
