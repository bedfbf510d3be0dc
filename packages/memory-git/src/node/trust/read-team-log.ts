import { TeamError } from "../../errors.ts";
import type { TeamLogEntry, TopicChange } from "../../team/changes.ts";
import type { LogInput } from "../../team/team.ts";
import { type LoggedCommit, LOG_FORMAT, parseLog } from "../../trust/parse-log.ts";
import { type Repository, runOrThrow } from "../git/repository.ts";
import { authorOf, signatureSettings } from "./read-history.ts";

const DEFAULT_LIMIT = 50;

/** The changes that lead to a head, newest first. */
export async function readTeamLog(
  { git, limits }: Repository,
  head: string,
  { slug, limit = DEFAULT_LIMIT }: LogInput,
): Promise<readonly TeamLogEntry[]> {
  const paths =
    slug === undefined ? ["topics", "removed"] : [`topics/${slug}.md`, `removed/${slug}.md`];
  const output = await runOrThrow(git, {
    command: [
      "--literal-pathspecs",
      "log",
      `--max-count=${limit}`,
      "-z",
      LOG_FORMAT,
      "--name-status",
      "--no-renames",
      "--no-mailmap",
      "--root",
      "-r",
      "-m",
      head,
      "--",
      ...paths,
    ],
    settings: signatureSettings(git.allowedSignersFile),
    timeoutMs: limits.localTimeoutMs + limit * 1_000,
    maxOutputBytes: 64 * 1024 * 1024,
  });
  const commits = parseLog(output.toString("utf8"));
  if (commits === undefined)
    throw new TeamError("GIT_FAILED", "git wrote a log that cannot be read");
  return commits.map((commit) => ({
    id: commit.id,
    at: commit.at,
    author: authorOf(commit, new Set()),
    changes: changesOf(commit),
  }));
}

const TOPIC_PATH = /^topics\/([^/]+)\.md$/;

function changesOf({ files }: LoggedCommit): readonly TopicChange[] {
  return files.flatMap(({ status, path }) => {
    const slug = TOPIC_PATH.exec(path)?.[1];
    if (slug === undefined) return [];
    const action = status === "A" ? "share" : status === "D" ? "unshare" : "edit";
    return [{ slug, action }] as const;
  });
}
