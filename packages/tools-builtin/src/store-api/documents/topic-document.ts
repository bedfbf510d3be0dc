import { utf8Bytes } from "@caliban/common";
import { renderTopic, type StoredTopic } from "@caliban/memory";
import { describeText, splitTopic } from "../../anthropic/topic-text.ts";

/** A topic as a client sees it: its text without the header, to the last character. */
export interface TopicDocument {
  readonly content: string;
  readonly bytes: number;
}

export function documentOf(topic: Pick<StoredTopic, "text" | "topic">): TopicDocument {
  const content = splitTopic(topic).text;
  return { content, bytes: utf8Bytes(content) };
}

/** The file of a topic, and what its header says. */
export interface RenderedDocument {
  readonly file: string;
  readonly description: string;
  readonly type: NonNullable<StoredTopic["topic"]["type"]>;
}

/** The file for a new content. The header of an existing topic stays; a description that was made from the text follows it. */
export async function renderDocument(
  content: string,
  {
    name,
    current,
    nowMs,
  }: {
    readonly name: string;
    readonly current: StoredTopic | undefined;
    readonly nowMs: number;
  },
): Promise<RenderedDocument> {
  const derived = describeText(content);
  const before = current === undefined ? undefined : splitTopic(current);
  const hasHeader = before !== undefined && before.header !== "";
  const kept = hasHeader ? current?.topic : undefined;
  const isDerived =
    kept === undefined ||
    kept.description === "" ||
    kept.description === describeText(before?.text ?? "").description;
  const description = isDerived ? derived.description : kept.description;
  const type = kept?.type ?? derived.type;
  const updated = new Date(nowMs).toISOString();
  const values = { name, description, type, body: "", updated, origin: "other-agent" } as const;
  const rendered = await renderTopic(values, hasHeader ? current?.text : undefined);
  // Without the line end of the body, which is empty here.
  return { file: rendered.slice(0, -1) + content, description, type };
}
