import { parseTopic } from "@caliban/memory";
import { type Forgotten, statementsOf } from "@caliban/memory/forgotten";
import type { SharedTopic, Team } from "@caliban/memory-git";
import { writeFileAtomic } from "@caliban/common/node";
import { type SharedTopicFile, writeSharedTopics } from "@caliban/memory/node";
import {
  readSummary,
  renderJson,
  type StoredTeam,
  summaryPath,
  type TeamSummary,
  topicsDirectory,
} from "./team-files.ts";

export interface RefreshInput {
  readonly stored: StoredTeam;
  readonly engine: Pick<Team, "topics" | "status">;
  /** What the user forgot does not come back from others. */
  readonly forgotten: Forgotten | undefined;
  /** Why the remote could not be reached, if it was tried; empty after it worked. */
  readonly problem: string | undefined;
  readonly nowMs: number;
}

/** Writes the topics that are used as files, so that a prompt needs neither git nor anything of the clone. */
export async function refreshTopics(input: RefreshInput): Promise<void> {
  const { stored, engine, forgotten } = input;
  const [topics, status] = await Promise.all([engine.topics(), engine.status()]);
  const files = await Promise.all(topics.map((topic) => toFile(topic, forgotten)));
  await writeSharedTopics(
    topicsDirectory(stored.directory),
    files.filter((file) => file !== undefined),
  );
  const left = topics.filter((_, at) => files[at] === undefined).map(({ slug }) => slug);
  const summary: TeamSummary = {
    waiting: status?.waiting.length ?? 0,
    forgotten: left,
    ...problemSince(input),
  };
  await writeFileAtomic(summaryPath(stored.directory), renderJson(summary));
}

/** Since when it failed. Without a new try, what was known stays. */
function problemSince({ stored, problem, nowMs }: RefreshInput): Pick<TeamSummary, "problem"> {
  const { problem: before } = readSummary(stored.directory);
  if (problem === undefined) return before === undefined ? {} : { problem: before };
  if (problem === "") return {};
  const since = before?.since ?? new Date(nowMs).toISOString();
  const isReported = before?.isReported === true ? { isReported: true } : {};
  return { problem: { message: problem, since, ...isReported } };
}

/** Only what a note needs: nothing else of a shared file takes effect here. `undefined` for a forgotten one. */
async function toFile(
  { slug, text, author, at }: SharedTopic,
  forgotten: Forgotten | undefined,
): Promise<SharedTopicFile | undefined> {
  const {
    description,
    type = "project",
    body,
    applies,
    supersedes,
    evidence,
  } = await parseTopic(text);
  const left = forgotten === undefined ? body : forgotten.strip(body).text;
  const isForgotten =
    forgotten !== undefined &&
    (statementsOf(description).some((said) => forgotten.find(said).length > 0) ||
      (left.trim() === "" && body.trim() !== ""));
  if (isForgotten) return undefined;
  const fields = { applies, supersedes, evidence };
  return { slug, description, type, body: left, ...fields, author: author.name, updated: at };
}
