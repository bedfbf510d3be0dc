import { type Author, createMapTopicStore, linkedSlugs } from "@caliban/memory";
import type { MemoryPageData, PageProject, PageProjects } from "../src/index.ts";

const AUTHOR: Author = { who: "person", origin: "user" };

/** Page data of a real store in memory, without a prompt, proposals and search. */
export function memoryData(): MemoryPageData & { readonly calls: readonly string[] } {
  const stores = { project: createMapTopicStore(), user: createMapTopicStore() };
  const calls: string[] = [];
  const refused = { kind: "refused", message: "not in this test" } as const;
  return {
    calls,
    about: async () => ({ version: "1", workspace: "~/app", readOnly: undefined }),
    displayPath: (path) => path.replace("/home/me", "~"),
    prompt: async () => ({
      receipt: { workspaceRoot: "/", entries: [], notices: [], totalTokens: 0, ceilingTokens: 9 },
      prefix: "",
    }),
    topics: async (scope) =>
      (await stores[scope].list()).topics.map((topic) =>
        Object.assign({}, topic, { origin: undefined, evidence: "none" as const, use: undefined }),
      ),
    topic: async ({ scope, slug }) => await stores[scope].read(slug),
    details: async () => ({ use: undefined, evidence: [] }),
    links: async (scope) => {
      const { topics } = await stores[scope].list();
      const found = await stores[scope].readMany(topics.map(({ slug }) => slug));
      return new Map(
        [...found].map(([slug, { topic }]) => [
          slug,
          { links: linkedSlugs(topic.body), supersedes: topic.supersedes ?? [] },
        ]),
      );
    },
    save: async ({ scope, slug, text, ifMatch }) => {
      const result = await stores[scope].edit({ name: slug, text, ifMatch, author: AUTHOR });
      if (result.kind === "conflict") return { kind: "conflict", current: result.current };
      return result.kind === "edited"
        ? { kind: "done", message: "saved", change: result.change }
        : refused;
    },
    rename: async () => refused,
    move: async () => refused,
    remove: async ({ scope, slug, ifMatch }) => {
      const result = await stores[scope].remove({ name: slug, ifMatch, author: AUTHOR });
      if (result.kind === "conflict") return { kind: "conflict", current: result.current };
      return result.kind === "removed" ? { kind: "done", message: "deleted" } : refused;
    },
    changes: async (scope) => await stores[scope].log(),
    undo: async ({ scope, id }) => {
      const { change } = await stores[scope].undo({ id, author: AUTHOR });
      return { kind: "done", message: "undone", change };
    },
    generations: async () => [],
    generation: async () => [],
    undoGeneration: async (number) => {
      calls.push(`undo generation ${number}`);
      return { kind: "done", message: "undone" };
    },
    proposals: async () => [],
    accept: async ({ id, edited }) => {
      calls.push(`accept ${id} ${edited?.body ?? ""}`);
      return { kind: "done", message: "accepted" };
    },
    reject: async ({ id }) => {
      calls.push(`reject ${id}`);
      return { kind: "done", message: "rejected" };
    },
    search: async () => ({
      topics: [],
      sessions: [],
      searched: { topics: 0, sessions: 0, turns: 0 },
      notes: [],
    }),
    note: async () => ({ note: undefined, off: undefined }),
    findings: async () => [],
    unused: async () => [],
    sizes: async () => [],
    pipeline: async () => ({
      nowMs: 0,
      off: undefined,
      runs: [],
      tokensInAll: 0,
      tokensToday: 0,
      dailyTokenBudget: 1,
      waiting: 0,
      problems: [],
    }),
    repair: async () => refused,
  };
}

/** The same with two generations of learned memory. */
export function withGenerations<Data extends MemoryPageData>(data: Data): Data {
  return {
    ...data,
    generations: async () => [
      { number: 2, previous: 1, madeAtMs: Date.UTC(2026, 10, 17), isCurrent: true },
      { number: 1, previous: undefined, madeAtMs: Date.UTC(2026, 10, 16), isCurrent: false },
    ],
    generation: async (number) => [{ path: "MEMORY.md", content: `- generation ${number}\n` }],
  };
}

/** Projects by their ids, the first of which is the current one. */
export function projectsOf(
  data: Readonly<Record<string, MemoryPageData>>,
  isAll = false,
): PageProjects {
  const [first = ""] = Object.keys(data);
  const rows = Object.keys(data).map((id): PageProject => ({
    id,
    path: `~/${id}`,
    isCurrent: id === first,
    topics: 0,
    proposals: 0,
    changedMs: undefined,
    problem: undefined,
  }));
  return {
    isAll,
    list: async () => rows,
    open: async (id = first) => (Object.hasOwn(data, id) ? data[id] : undefined),
  };
}

/** The file of a topic. */
export function topicText(description: string, body: string): string {
  return `---\ndescription: ${description}\nmetadata:\n  type: project\n---\n\n${body}\n`;
}
