import { type Author, createMapTopicStore } from "@caliban/memory";
import type { MemoryPageData } from "../src/index.ts";

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
    note: async () => undefined,
    health: async () => ({ findings: [], unused: [] }),
    repair: async () => refused,
  };
}

/** The file of a topic. */
export function topicText(description: string, body: string): string {
  return `---\ndescription: ${description}\nmetadata:\n  type: project\n---\n\n${body}\n`;
}
