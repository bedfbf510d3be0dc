import type { Finding, ParsedTopic, StoredTopic, TopicList, WriteTopicResult } from "@caliban/memory";

/** JSON output keeps the keys that programs already read: `sentence` for a message, `file` for a path. */
export function findingJson({ code, path, line, message, isFixable }: Finding): object {
  return { code, file: path, line, sentence: message, isFixable };
}

export function topicListJson({ topics, problems }: TopicList): object {
  return {
    topics: topics.map((topic) => ({ ...topic, problems: problemsJson(topic.problems) })),
    problems: problems.map(({ slug, message }) => ({ slug, sentence: message })),
  };
}

export function parsedTopicJson(topic: ParsedTopic): object {
  return { ...topic, problems: problemsJson(topic.problems) };
}

export function writeResultJson(result: WriteTopicResult): object {
  return result.kind === "conflict"
    ? { ...result, current: storedTopicJson(result.current) }
    : result;
}

function storedTopicJson(stored: StoredTopic): object {
  return { ...stored, topic: parsedTopicJson(stored.topic) };
}

function problemsJson(problems: ParsedTopic["problems"]): readonly object[] {
  return problems.map(({ code, message, line }) => ({ code, sentence: message, line }));
}
