import { parsePositiveInteger } from "@caliban/common";
import { createStoreSearch, TOPIC_TYPES } from "@caliban/memory";
import type { OpenedMemorySearch } from "@caliban/memory/node";
import {
  formatSearchedCounts,
  type FoundMemory,
  type MemorySearchRequest,
  parseSince,
  SEARCHED_KINDS,
  SINCE_FORMS,
  toJson,
} from "@caliban/memory/search";
import { createStyle } from "../../../cli/style.ts";
import { type CommandResult, type Invocation, textOption } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openProject, type Project } from "../../../project/project.ts";
import { openProjectSearch } from "../../../project/search.ts";
import { UsageError } from "../../../usage-error.ts";
import { settingsWarnings } from "../../warnings.ts";
import { output } from "../output.ts";
import { isUserScope } from "./open-topics.ts";
import { renderResults } from "./render-results.ts";

/** `caliban memory search WORDS`: what the agent would find, in topics and past sessions. */
export async function searchMemory(invocation: Invocation): Promise<CommandResult> {
  const { host, bare } = invocation;
  const request = parseRequest(invocation);
  const project = await openProject(invocation);
  // These options promise that nothing is written either.
  const isStored = !bare && invocation.memory;
  const found = isUserScope(invocation)
    ? await searchUserTopics(project, request)
    : await searchProject(
        openProjectSearch({ project, isStored, exceptSession: () => host.runningSession }),
        request,
      );
  const isFound = found.topics.length + found.sessions.length > 0;
  const messages = [...found.notes, ...(isFound ? [] : [nothingFound(request, found)])];
  const nowMs = host.now();
  const { heading } = createStyle(host.hasColor("stdout"));
  const { hasBold, command } = host;
  return output(invocation, {
    data: { query: request.query, ...toJson(found, nowMs) },
    text: renderResults(found, { nowMs, heading, hasBold, command }),
    stderr: [...settingsWarnings(host, project.settings.warnings), ...messages],
    exitCode: isFound ? EXIT.done : EXIT.nothingFound,
  });
}

async function searchProject(
  search: OpenedMemorySearch,
  request: MemorySearchRequest,
): Promise<FoundMemory> {
  const found = await search.search(request);
  await search.settled();
  return found;
}

/** Only the topics about the user. There are few, so that an index on disk is not worthwhile. */
async function searchUserTopics(
  project: Project,
  request: MemorySearchRequest,
): Promise<FoundMemory> {
  const { store } = await project.userTopics();
  const found = await createStoreSearch(store).search(request);
  const topics = found.topics.map((topic) => {
    const address = topic.address.replace("memory://", "memory://user/");
    return Object.assign({}, topic, { address });
  });
  return { ...found, topics };
}

const MAX_SHOWN_CHARACTERS = 80;

function nothingFound(request: MemorySearchRequest, { searched }: FoundMemory): string {
  const { query, kind, type, sinceMs } = request;
  if (searched.topics + searched.turns === 0) return NOTHING_TO_SEARCH[kind ?? "all"];
  const shown =
    query.length <= MAX_SHOWN_CHARACTERS
      ? query
      : `${query.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}…`;
  const filters = Object.entries({ "--kind": kind, "--type": type, "--since": sinceMs })
    .filter(([, value]) => value !== undefined)
    .map(([option]) => option);
  const hint = filters.length === 0 ? "" : `, or leave out ${filters.join(" and ")}`;
  return `nothing found for ${JSON.stringify(shown)} in ${formatSearchedCounts(searched)}; try other or fewer words${hint}`;
}

const NOTHING_TO_SEARCH: Readonly<Record<NonNullable<MemorySearchRequest["kind"]>, string>> = {
  topics: "no topics to search yet",
  sessions: "no past sessions of this project to search yet",
  all: "nothing to search yet: no topics, and no past sessions of this project",
};

/** @throws UsageError that lists the allowed values */
function parseRequest(invocation: Invocation): MemorySearchRequest {
  const query = invocation.operands.join(" ").trim();
  if (query === "")
    throw new UsageError(
      `nothing to search for: ${invocation.host.command("memory search <words>")}`,
    );
  const kind = oneOf(invocation, "kind", SEARCHED_KINDS);
  const type = oneOf(invocation, "type", TOPIC_TYPES);
  if (kind === "sessions" && type !== undefined)
    throw new UsageError(
      "--type and --kind sessions cannot be used together: only topics have a type",
    );
  const why = invocation.options["why"] === true;
  return {
    query,
    limit: parseLimit(invocation),
    kind,
    type,
    sinceMs: sinceOption(invocation),
    ...(why ? { why } : {}),
  };
}

function oneOf<T extends string>(
  invocation: Invocation,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const text = textOption(invocation, name);
  const known = allowed.find((each) => each === text);
  if (text === undefined || known !== undefined) return known;
  const names = `${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}`;
  throw new UsageError(`--${name} must be ${names}, not ${JSON.stringify(text)}`);
}

const MAX_RESULTS = 1_000;

function parseLimit(invocation: Invocation): number | undefined {
  const text = textOption(invocation, "limit");
  if (text === undefined) return undefined;
  const limit = parsePositiveInteger(text);
  if (limit !== undefined && limit <= MAX_RESULTS) return limit;
  throw new UsageError(
    `--limit must be an integer from 1 to ${MAX_RESULTS}, not ${JSON.stringify(text)}`,
  );
}

function sinceOption(invocation: Invocation): number | undefined {
  const text = textOption(invocation, "since");
  if (text === undefined) return undefined;
  const sinceMs = parseSince(text, invocation.host.now());
  if (sinceMs !== undefined) return sinceMs;
  throw new UsageError(
    `--since must be ${SINCE_FORMS} in the past (UTC), not ${JSON.stringify(text)}`,
  );
}
