import { terminalSafe, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { formatAgeWithWarning, type StoredTopic } from "@caliban/memory";
import { createStyle, type Style } from "../../../cli/style.ts";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openTopics } from "./open-topics.ts";
import { parsedTopicJson, topicNotFound } from "./topic-output.ts";

/** `caliban memory show SLUG`: the whole topic, with control characters escaped. */
export async function showTopic(invocation: Invocation): Promise<CommandResult> {
  const [name = ""] = invocation.operands;
  const { host, json } = invocation;
  const { store, warnings } = await openTopics(invocation);
  const found = await store.read(name);
  if (found === undefined) return await topicNotFound(invocation, name, store);
  const stdout = json
    ? `${terminalSafeJson(toJson(found))}\n`
    : renderTopic(found, host.now(), createStyle(host.hasColor("stdout")));
  return { stdout, stderr: warnings, exitCode: EXIT.done };
}

function toJson({ slug, hash, text, topic, updatedMs }: StoredTopic): object {
  const updated = new Date(updatedMs).toISOString();
  return { slug, hash, ...parsedTopicJson(topic), updated, text };
}

function renderTopic(
  { slug, hash, topic, updatedMs }: StoredTopic,
  nowMs: number,
  style: Style,
): string {
  const { type, description, body, session, after = [], problems } = topic;
  const age = formatAgeWithWarning(updatedMs, nowMs);
  const lines = [
    `${style.heading(terminalSafeLine(slug))} (${type ?? "untyped"}), written ${age}, hash ${hash}`,
    ...(description === "" ? [] : [terminalSafeLine(description)]),
    ...(session === undefined ? [] : [`session: ${terminalSafeLine(session)}`]),
    ...(after.length === 0 ? [] : [`written after using: ${terminalSafeLine(after.join(", "))}`]),
    ...problems.map(({ line, message }) =>
      style.bad(`problem in line ${line}: ${terminalSafeLine(message)}`),
    ),
  ];
  return `${lines.join("\n")}\n\n${terminalSafe(body)}\n`;
}
