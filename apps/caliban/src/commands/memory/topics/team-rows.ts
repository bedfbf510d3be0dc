import { terminalSafeLine } from "@caliban/common";
import { formatAge, slugKey, type StoredTopic, type TopicSummary } from "@caliban/memory";
import type { Invocation } from "../../../command.ts";
import { openTeamScope } from "../../../project/team-scope.ts";
import type { Project } from "../../../project/project.ts";
import { renderNamedRows } from "../../render-rows.ts";

/** The topics of the team as `memory list` shows them. */
export interface ListedTeam {
  readonly json: readonly object[];
  readonly text: string;
}

const NONE: ListedTeam = { json: [], text: "" };

/** Lists what the team shares, with who shared it; nothing without a team. */
export async function listTeamTopics(
  { host }: Invocation,
  project: Project,
  own: readonly Pick<TopicSummary, "slug">[],
): Promise<ListedTeam> {
  const team = openTeamScope(project);
  if (team === undefined) return NONE;
  const { topics } = await team.list();
  const stored = await team.readMany(topics.map(({ slug }) => slug));
  const ownKeys = new Set(own.map(({ slug }) => slugKey(slug)));
  const rows = topics.flatMap(({ slug }) => {
    const topic = stored.get(slug);
    return topic === undefined ? [] : [{ topic, isReplaced: ownKeys.has(slugKey(slug)) }];
  });
  if (rows.length === 0) return NONE;
  const shown = renderNamedRows(
    rows.map((row) => toRow(row, host.now())),
    host,
  );
  return {
    json: rows.map(({ topic: { slug, topic, updatedMs }, isReplaced }) => ({
      slug,
      type: topic.type,
      description: topic.description,
      author: topic.author,
      updatedMs,
      isReplaced,
    })),
    text: `\nshared by the team\n${shown.join("")}`,
  };
}

interface TeamRow {
  readonly topic: StoredTopic;
  /** Whether the project has a topic of its own with this name. */
  readonly isReplaced: boolean;
}

function toRow(
  { topic: { slug, topic, updatedMs }, isReplaced }: TeamRow,
  nowMs: number,
): readonly string[] {
  const { type, description, author = "unknown" } = topic;
  const mark = isReplaced ? " [your own is used]" : "";
  return [
    terminalSafeLine(slug),
    type ?? "untyped",
    formatAge(updatedMs, nowMs),
    terminalSafeLine(`${description} (by ${author})${mark}`),
  ];
}
