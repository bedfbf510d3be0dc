import type { MemoryPageData } from "../data.ts";
import type { PromptView } from "../view/prompt-view.ts";
import type { TimelineRow } from "../view/timeline-view.ts";
import type { TopicRow } from "../view/topic-view.ts";
import { route } from "../routes/route.ts";

/** Every answer that the page can ask for without a search, by its address. */
export async function collectAnswers(
  data: MemoryPageData,
): Promise<Readonly<Record<string, object>>> {
  const answers: Record<string, object> = {};
  const ask = async (path: string, query: Readonly<Record<string, string>> = {}): Promise<object> => {
    const { body } = await route({ method: "GET", path, query }, data);
    const words = Object.entries(query).map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
    answers[words.length === 0 ? path : `${path}?${words.join("&")}`] = body;
    return body;
  };
  await ask("about");
  await ask("inbox");
  await ask("health");
  const { rows } = (await ask("prompt")) as PromptView;
  for (const { part } of rows) if (part !== undefined) await ask("prompt/part", { part: String(part) });
  const topics = (await ask("topics")) as { readonly rows: readonly TopicRow[] };
  for (const { scope, slug } of topics.rows) await ask("topic", { scope, slug });
  const changes = (await ask("changes")) as { readonly rows: readonly TimelineRow[] };
  for (const { scope, id } of changes.rows) await ask("change", { scope, id });
  return answers;
}
