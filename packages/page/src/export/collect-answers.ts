import { type MemoryPageData, PAGE_SCOPES, type PageScope } from "../data.ts";
import { MAX_CHANGES } from "../routes/read-routes.ts";
import { route } from "../routes/route.ts";
import { promptParts } from "../view/prompt-parts.ts";

/** Every answer that the page can ask for without a search, by its address. */
export async function collectAnswers(
  data: MemoryPageData,
): Promise<Readonly<Record<string, object>>> {
  const still = withoutRepetition(data);
  const answers: Record<string, object> = {};
  const ask = async (path: string, query: Readonly<Record<string, string>> = {}): Promise<void> => {
    const { body } = await route({ method: "GET", path, query }, still);
    const words = Object.entries(query).map(
      ([name, text]) => `${name}=${encodeURIComponent(text)}`,
    );
    answers[words.length === 0 ? path : `${path}?${words.join("&")}`] = body;
  };
  for (const path of ["about", "prompt", "topics", "changes", "inbox", "health"]) await ask(path);
  const { prefix } = await still.prompt();
  for (const part of promptParts(prefix).keys()) await ask("prompt/part", { part: String(part) });
  for (const scope of PAGE_SCOPES) {
    for (const { slug } of await still.topics(scope)) await ask("topic", { scope, slug });
    const changes = (await still.changes(scope)).slice(0, MAX_CHANGES);
    for (const { id } of changes) await ask("change", { scope, id });
  }
  return answers;
}

/** Reads each list once, so that all answers are of one moment. */
function withoutRepetition(data: MemoryPageData): MemoryPageData {
  let prompt: ReturnType<MemoryPageData["prompt"]> | undefined;
  return {
    ...data,
    prompt: async () => await (prompt ??= data.prompt()),
    topics: oncePerScope(data.topics),
    changes: oncePerScope(data.changes),
  };
}

function oncePerScope<T>(read: (scope: PageScope) => Promise<T>): (scope: PageScope) => Promise<T> {
  const known = new Map<PageScope, Promise<T>>();
  return async (scope) => {
    const found = known.get(scope) ?? read(scope);
    known.set(scope, found);
    return await found;
  };
}
