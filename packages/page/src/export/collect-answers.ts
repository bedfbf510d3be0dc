import { type MemoryPageData, PAGE_SCOPES, type PageScope } from "../data.ts";
import type { PageProjects } from "../projects.ts";
import { MAX_CHANGES } from "../routes/read-routes.ts";
import { route } from "../routes/route.ts";
import { promptParts } from "../view/prompt-parts.ts";

/** Every answer that the page can ask for without a search, by its address. */
export async function collectAnswers(
  projects: PageProjects,
): Promise<Readonly<Record<string, object>>> {
  const { isAll } = projects;
  const rows = await projects.list();
  const answers: (readonly [string, object])[] = [["projects", { isAll, rows }]];
  for (const { id, problem } of rows) {
    const data = problem === undefined ? await projects.open(id) : undefined;
    if (data === undefined) continue;
    const own = await answersOf(data);
    answers.push(...own.map(([path, body]) => [isAll ? `@${id}/${path}` : path, body] as const));
  }
  return Object.fromEntries(answers);
}

const PATHS = ["about", "prompt", "topics", "changes", "inbox"] as const;
const HEALTH_PATHS = ["findings", "unused", "sizes", "pipeline"] as const;

async function answersOf(data: MemoryPageData): Promise<readonly (readonly [string, object])[]> {
  const still = withoutRepetition(data);
  const answers: [string, object][] = [];
  const ask = async (path: string, query: Readonly<Record<string, string>> = {}): Promise<void> => {
    const { body } = await route({ method: "GET", path, query }, still);
    const words = Object.entries(query).map(
      ([name, text]) => `${name}=${encodeURIComponent(text)}`,
    );
    answers.push([words.length === 0 ? path : `${path}?${words.join("&")}`, body]);
  };
  for (const path of PATHS) await ask(path);
  for (const path of HEALTH_PATHS) await ask(`health/${path}`);
  const { prefix } = await still.prompt();
  for (const part of promptParts(prefix).keys()) await ask("prompt/part", { part: String(part) });
  for (const scope of PAGE_SCOPES) {
    for (const { slug } of await still.topics(scope)) {
      await ask("topic", { scope, slug });
      await ask("topic/details", { scope, slug });
    }
    const changes = (await still.changes(scope)).slice(0, MAX_CHANGES);
    for (const { id } of changes) await ask("change", { scope, id });
  }
  for (const { number } of await still.generations())
    await ask("generation", { id: String(number) });
  return answers;
}

/** Reads each list once, so that all answers are of one moment. */
function withoutRepetition(data: MemoryPageData): MemoryPageData {
  return {
    ...data,
    prompt: once(data.prompt),
    generations: once(data.generations),
    topics: oncePerScope(data.topics),
    links: oncePerScope(data.links),
    changes: oncePerScope(data.changes),
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return async () => await (known ??= read());
}

function oncePerScope<T>(read: (scope: PageScope) => Promise<T>): (scope: PageScope) => Promise<T> {
  const known = new Map<PageScope, Promise<T>>();
  return async (scope) => {
    const found = known.get(scope) ?? read(scope);
    known.set(scope, found);
    return await found;
  };
}
