import type { MemoryPageData, PageScope } from "../data.ts";
import { PAGE_SCOPES } from "../data.ts";
import { proposalRow } from "../view/inbox-view.ts";
import { promptParts } from "../view/prompt-parts.ts";
import { promptView } from "../view/prompt-view.ts";
import { generationRows, generationView } from "../view/generation-view.ts";
import { linkGraph } from "../view/link-graph.ts";
import { pipelineView } from "../view/pipeline-view.ts";
import { noteView, searchView } from "../view/search-view.ts";
import { changeView, type TimelineRow, timelineRows } from "../view/timeline-view.ts";
import { type TopicDetailsView, topicRow, topicView } from "../view/topic-view.ts";
import { answer, fieldsOf, type PageAnswer, type PageRequest, problem } from "./page-request.ts";

type Read = (request: PageRequest, data: MemoryPageData) => Promise<PageAnswer>;

/** What can be read, by path. */
export const READ_ROUTES: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["about", async (_, data) => answer(await data.about())],
  ["prompt", readPrompt],
  ["prompt/part", readPart],
  ["topics", readTopics],
  ["topic", readTopic],
  ["topic/details", readDetails],
  ["changes", readChanges],
  ["change", readChange],
  ["generation", readGeneration],
  ["inbox", readInbox],
  ["search", search],
  ["note", findNote],
  ["health/findings", async (_, data) => answer({ rows: await data.findings() })],
  ["health/unused", async (_, data) => answer({ rows: await data.unused() })],
  ["health/sizes", async (_, data) => answer({ rows: await data.sizes() })],
  ["health/pipeline", async (_, data) => answer(pipelineView(await data.pipeline()))],
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

async function readDetails(request: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const fields = fieldsOf(request);
  const [scope, slug] = [fields.scope(), fields.text("slug")];
  if (scope === undefined || slug === undefined) return problem(400, "which topic?");
  const [{ use, evidence }, links] = await Promise.all([
    data.details({ scope, slug }),
    data.links(scope),
  ]);
  const graph = linkGraph(slug, links);
  return answer({ use: use ?? null, evidence, graph } satisfies TopicDetailsView);
}

/** How many changes are listed at once. */
export const MAX_CHANGES = 500;

async function readChanges(_: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const changes = await inBothScopes(async (scope) =>
    timelineRows(scope, await data.changes(scope)),
  );
  const rows = [...changes, ...generationRows(await data.generations())].toSorted(newestFirst);
  return answer({ rows: rows.slice(0, MAX_CHANGES), total: rows.length });
}

function newestFirst(one: TimelineRow, other: TimelineRow): number {
  return one.at === other.at ? 0 : one.at < other.at ? 1 : -1;
}

async function readGeneration(request: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const number = Number(fieldsOf(request).text("id"));
  const generations = await data.generations();
  const found = generations.find((each) => each.number === number);
  if (found === undefined) return problem(404, "this generation is no longer on disk");
  const [after, before] = await Promise.all([
    data.generation(number),
    found.previous === undefined ? [] : data.generation(found.previous),
  ]);
  return answer(generationView(found, { generations, before, after }));
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
  const { note, off } = await data.note(
    path === undefined ? { kind: "command", command: command ?? "" } : { kind: "file", path },
  );
  return answer({ note: note === undefined ? null : noteView(note), off });
}

async function inBothScopes<T>(
  read: (scope: PageScope) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  return (await Promise.all(PAGE_SCOPES.map(read))).flat();
}
