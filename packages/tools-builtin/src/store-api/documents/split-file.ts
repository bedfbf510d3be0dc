import { parseTopic } from "@caliban/memory";
import { splitTopic, type TopicText } from "../../anthropic/topic-text.ts";

/** Splits any file of the history, as it would be split if it were current. */
export async function splitFile(text: string): Promise<TopicText> {
  return splitTopic({ text, topic: await parseTopic(text) });
}
