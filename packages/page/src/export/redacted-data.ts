import type { MemoryPageData } from "../data.ts";
import type { PageProjects } from "../projects.ts";

type Redact = (text: string) => Promise<string>;

/** The projects with every text redacted before anything is made of it: a secret may span lines. */
export function redactedProjects(projects: PageProjects, redact: Redact): PageProjects {
  const all = redactAll(redact);
  return {
    ...projects,
    list: async () => await all(await projects.list()),
    open: async (id) => {
      const data = await projects.open(id);
      return data && redactedData(data, all);
    },
  };
}

function redactedData(data: MemoryPageData, all: <T>(value: T) => Promise<T>): MemoryPageData {
  return {
    ...data,
    about: async () => await all(await data.about()),
    prompt: async () => await all(await data.prompt()),
    topics: async (scope) => await all(await data.topics(scope)),
    topic: async (address) => await all(await data.topic(address)),
    changes: async (scope) => await all(await data.changes(scope)),
    details: async (address) => await all(await data.details(address)),
    links: async (scope) => new Map(await all([...(await data.links(scope))])),
    generation: async (number) => await all(await data.generation(number)),
    proposals: async (scope) => await all(await data.proposals(scope)),
    findings: async () => await all(await data.findings()),
    unused: async () => await all(await data.unused()),
    sizes: async () => await all(await data.sizes()),
    pipeline: async () => await all(await data.pipeline()),
  };
}

/** Redacts every text in a value. Equal texts, such as the versions of a topic, are scanned once. */
function redactAll(redact: Redact): <T>(value: T) => Promise<T> {
  const known = new Map<string, Promise<string>>();
  const redactOnce = (text: string): Promise<string> => {
    const found = known.get(text) ?? redact(text);
    known.set(text, found);
    return found;
  };
  const visit = async (value: unknown): Promise<unknown> => {
    if (typeof value === "string") return await redactOnce(value);
    if (Array.isArray(value)) return await Promise.all(value.map(visit));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(async ([key, each]) => [key, await visit(each)]);
    return Object.fromEntries(await Promise.all(entries));
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only texts are replaced, by texts
  return async <T>(value: T) => (await visit(value)) as T;
}
