import type { MemoryPageData, PageScope } from "../data.ts";
import { PAGE_SCOPES } from "../data.ts";
import { proposalRow } from "../view/inbox-view.ts";
import { promptParts } from "../view/prompt-parts.ts";
import { promptView } from "../view/prompt-view.ts";
import { searchView } from "../view/search-view.ts";
import { changeView, timelineRows } from "../view/timeline-view.ts";
import { topicRow, topicView } from "../view/topic-view.ts";
import { answer, fieldsOf, type PageAnswer, type PageRequest, problem } from "./page-request.ts";

type Read = (request: PageRequest, data: MemoryPageData) => Promise<PageAnswer>;

/** What can be read, by path. */
export const READ_ROUTES: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["about", async (_, data) => answer(await data.about())],
  ["prompt", readPrompt],
  ["prompt/part", readPart],
  ["topics", readTopics],
  ["topic", readTopic],
  ["changes", readChanges],
  ["change", readChange],
  ["inbox", readInbox],
  ["search", search],
  ["note", findNote],
  ["health", async (_, data) => answer(await data.health())],
]);

async function readPrompt(_: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const { receipt, prefix } = await data.prompt();
  return answer(promptView({ receipt, prefix, displayPath: data.displayPath }));
}

async function readPart(request: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const { prefix } = await data.prompt();
  const part = promptParts(prefix)[Number(fieldsOf(request).text("part"))];
  return part === undefined ? problem(404, "the prompt changed; load it again") : answer(part);
}

async function readTopics(_: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const rows = await inBothScopes(async (scope) =>
    (await data.topics(scope)).map((topic) => topicRow(scope, topic)),
  );
  return answer({ rows });
}

async function readTopic(request: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const fields = fieldsOf(request);
  const [scope, slug] = [fields.scope(), fields.text("slug")];
  if (scope === undefined || slug === undefined) return problem(400, "which topic?");
  const stored = await data.topic({ scope, slug });
  return stored === undefined
    ? problem(404, `no topic ${slug}; it may have been renamed, moved or deleted`)
    : answer(topicView(scope, stored));
}

/** How many changes are listed at once. */
export const MAX_CHANGES = 500;

async function readChanges(_: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const rows = await inBothScopes(async (scope) => timelineRows(scope, await data.changes(scope)));
  const sorted = rows.toSorted((one, other) => other.at.localeCompare(one.at));
  return answer({ rows: sorted.slice(0, MAX_CHANGES), total: rows.length });
}

async function readChange(request: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const fields = fieldsOf(request);
  const [scope, id] = [fields.scope(), fields.text("id")];
  if (scope === undefined || id === undefined) return problem(400, "which change?");
  const view = changeView(scope, await data.changes(scope), id);
  return view === undefined ? problem(404, `no change ${id}`) : answer(view);
}

async function readInbox(_: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const rows = await inBothScopes(async (scope) =>
    (await data.proposals(scope)).map((waiting) => proposalRow(scope, waiting)),
  );
  return answer({ rows });
}

async function search(request: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const query = fieldsOf(request).text("q")?.trim() ?? "";
  if (query === "") return problem(400, "nothing to search for");
  return answer(searchView(await data.search(query)));
}

async function findNote(request: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const fields = fieldsOf(request);
  const [path, command] = [fields.text("path"), fields.text("command")];
  if (path === undefined && command === undefined) return problem(400, "which path or command?");
  const note = await data.note(
    path === undefined ? { kind: "command", command: command ?? "" } : { kind: "file", path },
  );
  if (note === undefined) return answer({ note: null });
  const { text, source, was, why } = note;
  return answer({ note: { text, address: source.address, was: was?.text, ...why } });
}

async function inBothScopes<T>(
  read: (scope: PageScope) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  return (await Promise.all(PAGE_SCOPES.map(read))).flat();
}
