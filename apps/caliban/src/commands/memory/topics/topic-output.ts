import { nearest, terminalSafeJson } from "@caliban/common";
import type {
  Finding,
  ParsedTopic,
  StoredTopic,
  TopicList,
  TopicStore,
  WriteTopicResult,
} from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";

/** The result for a name that no topic has, with a suggestion. */
export async function topicNotFound(
  { host, json }: Invocation,
  name: string,
  store: TopicStore,
): Promise<CommandResult> {
  const { topics } = await store.list();
  const suggestion = nearest(
    name,
    topics.map(({ slug }) => slug),
  );
  const hint =
    suggestion === undefined
      ? `List all topics with: ${host.command("memory list")}`
      : `Did you mean ${suggestion}?`;
  return {
    stdout: json ? `${terminalSafeJson({ found: false, name, nearest: suggestion })}\n` : "",
    stderr: [`no topic ${JSON.stringify(name)}. ${hint}`],
    exitCode: EXIT.nothingFound,
  };
}

const MAX_NAMES = 10;

/** The first few names: one change can affect hundreds of topics. */
export function formatNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const first = names.slice(0, MAX_NAMES).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}

type RenameTopicResult = Awaited<ReturnType<TopicStore["rename"]>>;

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

/** The result of a write or a rename. */
export function resultJson(result: WriteTopicResult | RenameTopicResult): object {
  return result.kind === "conflict"
    ? { ...result, current: storedTopicJson(result.current) }
    : result;
}

function storedTopicJson(stored: StoredTopic): object {
  return { ...stored, topic: parsedTopicJson(stored.topic) };
}

export function parsedTopicJson(topic: ParsedTopic): object {
  return { ...topic, problems: problemsJson(topic.problems) };
}

function problemsJson(problems: ParsedTopic["problems"]): readonly object[] {
  return problems.map(({ code, message, line }) => ({ code, sentence: message, line }));
}
