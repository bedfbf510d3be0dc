import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import {
  formatSearchedCounts,
  type FoundMemory,
  toJson,
  type MemorySearchRequest,
} from "@caliban/memory/search";
import type { CommandResult, Invocation } from "../../../../command.ts";
import { openProject } from "../../../../project/project.ts";
import { EXIT } from "../../../../exit-code.ts";
import { renderSettingsWarnings } from "../../../warnings.ts";
import { openProjectSearch } from "../../../../project/search/open-search.ts";
import { renderFound } from "./render-results.ts";
import { readSearchWish } from "./search-query.ts";

/** `caliban memory search WORDS`: what the agent would find, in topics and in past sessions. */
export async function searchMemory(invocation: Invocation): Promise<CommandResult> {
  const { host, json, bare } = invocation;
  const request = readSearchWish(invocation);
  const project = await openProject(invocation);
  // Who wants nothing of the disk gets nothing there either.
  const isStored = !bare && invocation.memory;
  const { memory, cache } = await openProjectSearch({ project, isStored });
  const found = await memory.search(request);
  await cache.settled();
  const isFound = found.topics.length + found.sessions.length > 0;
  const said = [...found.notes, ...(isFound ? [] : [nothingFound(request, found)])];
  const nowMs = host.now();
  return {
    stdout: json
      ? `${terminalSafeJson({ query: request.query, ...toJson(found, nowMs) })}\n`
      : renderFound(found, { nowMs, isBold: isBold(invocation) }),
    stderr:
      renderSettingsWarnings(project.settings.warnings) +
      said.map((sentence) => `caliban: ${terminalSafeLine(sentence)}\n`).join(""),
    exitCode: isFound ? EXIT.done : EXIT.nothingFound,
  };
}

const SHOWN_CHARACTERS = 80;

function nothingFound(request: MemorySearchRequest, { searched }: FoundMemory): string {
  const { query, kind, type, sinceMs } = request;
  if (searched.topics + searched.turns === 0) return nothingThere(kind);
  const short =
    query.length <= SHOWN_CHARACTERS
      ? query
      : `${query.slice(0, SHOWN_CHARACTERS).toWellFormed()}…`;
  const narrowing = Object.entries({ "--kind": kind, "--type": type, "--since": sinceMs })
    .filter(([, wish]) => wish !== undefined)
    .map(([option]) => option);
  const also = narrowing.length === 0 ? "" : `, or leave out ${narrowing.join(" and ")}`;
  return `nothing was found for ${JSON.stringify(short)} in ${formatSearchedCounts(searched)}; try other words, or fewer of them${also}`;
}

function nothingThere(kind: MemorySearchRequest["kind"]): string {
  if (kind === "topics") return "there are no topics to search yet";
  if (kind === "sessions") return "there are no past sessions of this project to search yet";
  return "there is nothing to search yet: no topics, and no past sessions of this project";
}

/** Weight is no colour, so that `NO_COLOR` leaves it. */
function isBold({ host }: Invocation): boolean {
  return host.isTerminal && host.env["TERM"] !== "dumb";
}
