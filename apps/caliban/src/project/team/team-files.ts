import { join } from "node:path";
import { parseJsonRecord, userDirectories } from "@caliban/common";
import { listNames, readTextFile } from "@caliban/common/node";
import type { Project } from "../project.ts";

/** A team that this user joined, with the repositories for which its memory is used. */
export interface TeamRecord {
  /** The remote with the shared topics, as git takes it. */
  readonly remote: string;
  /** A repository belongs to it if it has one of these. */
  readonly rootCommits: readonly string[];
  /** The addresses of remotes of the checkouts that the user connected: a fork has another one. */
  readonly checkouts: readonly string[];
}

/** What the user decided for one checkout. */
export interface CheckoutLink {
  /** The directory name of the team; `null` if the user does not want it here. */
  readonly team: string | null;
  /** The remotes of the checkout at that time. */
  readonly remotes: readonly string[];
}

/** A team on this machine. */
export interface StoredTeam extends TeamRecord {
  readonly id: string;
  readonly directory: string;
}

/** What the last sync found, for those who must not ask git. */
export interface TeamSummary {
  /** How many changes wait for the user. */
  readonly waiting: number;
  /** Topics that are not used because the user forgot what they say. */
  readonly forgotten: readonly string[];
  /** Why the last sync failed, if it did; and since when, in ISO 8601. */
  readonly problem?:
    | {
        readonly message: string;
        readonly since: string;
        /** Whether a session has shown it. */
        readonly isReported?: boolean | undefined;
      }
    | undefined;
}

const MAX_FILE_BYTES = 256 * 1024;
const MAX_TEAMS = 1_000;
const RECORD = "team.json";
const SUMMARY = "summary.json";

/** The directory of all teams; `undefined` when no home directory is known. */
export function teamsDirectory({ environment }: Pick<Project, "environment">): string | undefined {
  const { data } = userDirectories(environment);
  return data && join(data, "team");
}

/** The file in the home of a project that connects it to a team. */
export function linkPath(projectHome: string): string {
  return join(projectHome, RECORD);
}

export function recordPath(teamDirectory: string): string {
  return join(teamDirectory, RECORD);
}

export function summaryPath(teamDirectory: string): string {
  return join(teamDirectory, SUMMARY);
}

/** The topics as files, which prompts and searches read. */
export function topicsDirectory(teamDirectory: string): string {
  return join(teamDirectory, "memory");
}

/** Where the clone is that git works in. */
export function cloneDirectory(teamDirectory: string): string {
  return join(teamDirectory, "clone");
}

export function readLink(projectHome: string): CheckoutLink | undefined {
  const { team, remotes } = readRecord(linkPath(projectHome));
  if ((team !== null && !isTeamId(team)) || !isTextList(remotes)) return undefined;
  return { team, remotes };
}

export function readTeam(directory: string, id: string): StoredTeam | undefined {
  const own = join(directory, id);
  const { remote, rootCommits, checkouts } = readRecord(recordPath(own));
  if (typeof remote !== "string" || !isTextList(rootCommits) || !isTextList(checkouts))
    return undefined;
  return { id, directory: own, remote, rootCommits, checkouts };
}

/** Every team of this user. */
export function listTeams(directory: string): readonly StoredTeam[] {
  const ids = listNames(directory).filter(isTeamId).slice(0, MAX_TEAMS);
  return ids.flatMap((id) => readTeam(directory, id) ?? []);
}

export function readSummary(teamDirectory: string): TeamSummary {
  const { waiting, forgotten, problem } = readRecord(summaryPath(teamDirectory));
  const { message, since, isReported } = asRecord(problem);
  const failed =
    typeof message === "string" && typeof since === "string"
      ? { problem: { message, since, ...(isReported === true ? { isReported } : {}) } }
      : {};
  return {
    waiting: typeof waiting === "number" ? waiting : 0,
    forgotten: isTextList(forgotten) ? forgotten : [],
    ...failed,
  };
}

export function renderJson(value: TeamRecord | CheckoutLink | TeamSummary): string {
  return `${JSON.stringify({ version: 1, ...value }, null, 2)}\n`;
}

/** Whether two lists of remotes have one in common, or both are empty. */
export function haveSameRemote(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 && other.length === 0) return true;
  return one.some((remote) => other.includes(remote));
}

function readRecord(path: string): Readonly<Record<string, unknown>> {
  const file = readTextFile(path, MAX_FILE_BYTES, { refuseLinks: true });
  return (file.kind === "text" ? parseJsonRecord(file.text) : undefined) ?? {};
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isTeamId(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{16}$/.test(value);
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
