import { parseTopicHeader } from "../../topics/parse-topic.ts";

/** The description of a topic whose header is not plain. Brings the YAML parser along, so it is loaded when it is needed. */
export function descriptionFromYaml(text: string): string {
  return parseTopicHeader(text).description;
}
