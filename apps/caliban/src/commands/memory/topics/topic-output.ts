import { nearest, terminalSafeLine } from "@caliban/common";
import type {
  Finding,
  ParsedTopic,
  TopicList,
  TopicStore,
  TopicSummary,
  WriteTopicResult,
} from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openTeamScope } from "../../../project/team-scope.ts";
import { output } from "../output.ts";
import type { OpenTopics } from "./open-topics.ts";

/** The result for a name that no topic has, with a suggestion. */
export async function topicNotFound(
  invocation: Invocation,
  name: string,
  { store, userFlag, project }: Pick<OpenTopics, "store" | "userFlag" | "project">,
): Promise<CommandResult> {
  const { topics } = await store.list();
  const suggestion = nearest(
    name,
    topics.map(({ slug }) => slug),
  );
  const list = `List all topics with: ${invocation.host.command(`memory list${userFlag}`)}`;
  const similar = suggestion === undefined ? list : `Did you mean ${suggestion}?`;
  const hint = (await hintElsewhere(invocation, name, { userFlag, project })) ?? similar;
  return output(invocation, {
    data: { found: false, name, nearest: suggestion },
    text: "",
    stderr: [`no topic ${JSON.stringify(name)}. ${hint}`],
    exitCode: EXIT.nothingFound,
  });
}

/** The topic may be in another memory. */
async function hintElsewhere(
  { host }: Invocation,
  name: string,
  { userFlag, project }: Pick<OpenTopics, "userFlag" | "project">,
): Promise<string | undefined> {
  if (userFlag !== "") return undefined;
  if (await hasUserTopic(project, name))
    return "There is one about you in every project; add --user";
  const shared = await openTeamScope(project)?.read(name);
  if (shared === undefined) return undefined;
  const write = host.command(`memory write ${terminalSafeLine(shared.slug)}`);
  return `The team shares one. To change it, write your own text with: ${write}`;
}

async function hasUserTopic(project: OpenTopics["project"], name: string): Promise<boolean> {
  const { store } = await project.userTopics();
  return (await store.read(name)) !== undefined;
}

type RenameTopicResult = Awaited<ReturnType<TopicStore["rename"]>>;

/** JSON output keeps the keys that programs already read: `sentence` for a message, `file` for a path. */
export function findingJson({ code, path, line, message, isFixable }: Finding): object {
  return { code, file: path, line, sentence: message, isFixable };
}

export function topicListJson(
  { topics, problems }: TopicList,
  marksOf: (topic: TopicSummary) => object = () => ({}),
): object {
  return {
    topics: topics.map((topic) => ({
      ...topic,
      problems: problemsJson(topic.problems),
      ...marksOf(topic),
    })),
    problems: problems.map(({ slug, message }) => ({ slug, sentence: message })),
  };
}

/** The result of a write or a rename. */
export function resultJson(result: WriteTopicResult | RenameTopicResult): object {
  if (result.kind !== "conflict") return result;
  const { current } = result;
  return { ...result, current: { ...current, topic: parsedTopicJson(current.topic) } };
}

export function parsedTopicJson(topic: ParsedTopic): object {
  return { ...topic, problems: problemsJson(topic.problems) };
}

function problemsJson(problems: ParsedTopic["problems"]): readonly object[] {
  return problems.map(({ code, message, line }) => ({ code, sentence: message, line }));
}
