import { checkArguments, checkText, invalidArgument } from "../check-arguments.ts";
import { oneLine } from "./one-line.ts";
import { parsePlainTopic, renderPlainTopic, type Topic } from "./plain-topic.ts";
import { parseTopicSlug } from "./slug.ts";
import type { ParsedTopic } from "./topic-header.ts";
import { isTopicType, TOPIC_TYPES } from "./topic-type.ts";

// The parser and the renderer for other programs. Both load the YAML library only for a header that needs it.

/**
 * Reads a topic file, written by any program. Never fails because of its content: a broken header is reported in
 * `problems`, and the whole text becomes the body.
 *
 * @example
 * import { parseTopic } from "@caliban/memory";
 *
 * const file = "---\nname: deploy # ours\ndescription: order\ntype: project\n---\n\nMigrations first.\n";
 * const { type, body, problems } = await parseTopic(file);
 * console.log(type, body, problems.length); // project Migrations first. 0
 */
export async function parseTopic(text: string): Promise<ParsedTopic> {
  checkText("parseTopic", text);
  return parsePlainTopic(text) ?? (await import("./yaml-topic.ts")).parseTopic(text);
}

/** The content of a topic file. */
export interface TopicContent extends Omit<Topic, "name"> {
  readonly name: string;
}

/**
 * Renders the file that a store would write. With the text of the file `before`, only the keys that a write sets change:
 * comments, order, unknown keys and fields that are left out are kept. Limits and secrets are checked by stores, not here.
 *
 * @throws MemoryError `INVALID_SLUG`, or `INVALID_ARGUMENT` for an unknown type
 *
 * @example
 * import { renderTopic } from "@caliban/memory";
 *
 * const topic = { name: "deploy", description: "order", type: "project", body: "Migrations first." } as const;
 * console.log((await renderTopic(topic)).split("\n")[1]); // name: deploy
 */
export async function renderTopic(topic: TopicContent, before?: string): Promise<string> {
  const required = { name: "string", description: "string", body: "string" } as const;
  checkArguments("renderTopic", topic, required);
  const { name, description, type } = topic;
  if (!isTopicType(type)) {
    throw invalidArgument(`renderTopic: "type" must be one of ${TOPIC_TYPES.join(", ")}`);
  }
  checkFieldShapes(topic);
  const checked = { ...topic, name: parseTopicSlug(name), description: oneLine(description) };
  return (
    renderPlainTopic(checked, before) ??
    (await import("./yaml-topic.ts")).renderTopic(checked, before)
  );
}

/** For callers without types. */
function checkFieldShapes({ applies, supersedes, evidence, expect }: TopicContent): void {
  const lists = { supersedes, evidence, expect };
  const given = Object.entries(lists).filter(([, list]) => list !== undefined);
  for (const [key] of given) checkArguments("renderTopic", lists, { [key]: "list" });
  if (applies !== undefined) {
    checkArguments("renderTopic: applies", applies, { paths: "list", commands: "list" });
  }
}
