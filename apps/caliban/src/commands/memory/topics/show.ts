import { terminalSafe, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { formatAgeWithWarning, type StoredTopic } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openTopics } from "./open-topics.ts";
import { parsedTopicJson } from "./topic-json.ts";
import { topicNotFound } from "./topic-not-found.ts";

/** `caliban memory show SLUG`: the whole topic, harmless on a terminal. */
export async function showTopic(invocation: Invocation): Promise<CommandResult> {
  const [name = ""] = invocation.operands;
  const { store, warnings } = await openTopics(invocation);
  const found = await store.read(name);
  if (found === undefined) return await topicNotFound(invocation, name, store);
  const stdout = invocation.json
    ? `${terminalSafeJson(forPrograms(found))}\n`
    : renderTopic(found, invocation.host.now());
  return { stdout, stderr: warnings, exitCode: EXIT.done };
}

function forPrograms({ slug, hash, text, topic, updatedMs }: StoredTopic): object {
  return { slug, hash, ...parsedTopicJson(topic), updated: new Date(updatedMs).toISOString(), text };
}

function renderTopic({ slug, hash, topic, updatedMs }: StoredTopic, nowMs: number): string {
  const { type, description, body, session, after = [], problems } = topic;
  const lines = [
    `${terminalSafeLine(slug)} (${type ?? "untyped"}), written ${formatAgeWithWarning(updatedMs, nowMs)}, hash ${hash}`,
    ...(description === "" ? [] : [terminalSafeLine(description)]),
    ...(session === undefined ? [] : [`session: ${terminalSafeLine(session)}`]),
    ...(after.length === 0
      ? []
      : [`noted after the use of: ${terminalSafeLine(after.join(", "))}`]),
    ...problems.map(
      ({ line, message }) => `problem in line ${line}: ${terminalSafeLine(message)}`,
    ),
  ];
  return `${lines.join("\n")}\n\n${terminalSafe(body)}\n`;
}
