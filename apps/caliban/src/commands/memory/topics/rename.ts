import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openTopicsToWrite, PERSON } from "./open-topics.ts";
import { topicNotFound } from "./topic-not-found.ts";

/** `caliban memory mv SLUG NEW`: the history goes with the topic, and the links follow it. */
export async function renameTopic(invocation: Invocation): Promise<CommandResult> {
  const [from = "", to = ""] = invocation.operands;
  const { store, warnings } = await openTopicsToWrite(invocation);
  const result = await store.rename({ from, to, author: PERSON });
  if (result.kind === "missing") return await topicNotFound(invocation, from, store);
  const stdout = invocation.json ? `${terminalSafeJson(result)}\n` : "";
  if (result.kind === "conflict") {
    const sentence = `there is a topic ${terminalSafeLine(result.current.slug)} already; remove it first, or take another name`;
    return { stdout, stderr: `${warnings}caliban: ${sentence}\n`, exitCode: EXIT.failed };
  }
  const { slug, relinked, change } = result;
  const links =
    relinked.length === 0 ? "" : `; links changed in ${relinked.map(terminalSafeLine).join(", ")}`;
  return {
    stdout: invocation.json
      ? stdout
      : change === undefined
        ? `${terminalSafeLine(slug)} has that name already\n`
        : `renamed ${terminalSafeLine(from)} to ${terminalSafeLine(slug)}${links}\n`,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}
