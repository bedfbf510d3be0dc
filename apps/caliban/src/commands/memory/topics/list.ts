import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { formatAge, type TopicSummary } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { renderNamedRows } from "../../render-rows.ts";
import { openTopics } from "./open-topics.ts";
import { topicListJson } from "./topic-output.ts";

/** `caliban memory list`: one line per topic, newest first. */
export async function listTopics(invocation: Invocation): Promise<CommandResult> {
  const { host, json } = invocation;
  const { store, directory, displayPath, warnings } = await openTopics(invocation);
  const list = await store.list();
  const stderr = [...warnings, ...list.problems.map(({ message }) => message)];
  if (json) {
    const stdout = `${terminalSafeJson({ directory, ...topicListJson(list) })}\n`;
    return { stdout, stderr, exitCode: EXIT.done };
  }
  const nowMs = host.now();
  const rows = renderNamedRows(
    list.topics.map((topic) => topicRow(topic, nowMs)),
    host,
  );
  const stdout = rows.length === 0 ? `no topics yet in ${displayPath(directory)}\n` : rows.join("");
  return { stdout, stderr, exitCode: EXIT.done };
}

function topicRow(
  { slug, type, updatedMs, description }: TopicSummary,
  nowMs: number,
): readonly string[] {
  const about = description === "" ? "(no description)" : terminalSafeLine(description);
  return [terminalSafeLine(slug), type ?? "untyped", formatAge(updatedMs, nowMs), about];
}
