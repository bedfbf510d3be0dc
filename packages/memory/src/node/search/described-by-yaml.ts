import { parseTopicHeader } from "../../topics/parse-topic.ts";

/** The description in a header that is not plain. Needs the YAML parser, so this file is loaded only when necessary. */
export function descriptionFromYaml(text: string): string {
  return parseTopicHeader(text).description;
}
