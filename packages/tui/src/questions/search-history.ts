import type { Screen } from "../screen/screen.ts";
import { createSearchList } from "../dialogs/search-list.ts";

/** Lets the user pick one of the lines sent earlier, newest first; `undefined` if none is picked. */
export async function searchHistory(
  screen: Screen,
  texts: readonly string[],
): Promise<string | undefined> {
  const items = [...new Set(texts)].map((text) => {
    const [first = "", ...more] = text.trim().split("\n");
    const preview = more.length === 0 ? undefined : text.trim();
    return { value: text, label: first, preview };
  });
  const { theme, rows } = screen;
  return await screen.open<string | undefined>({
    cancel: undefined,
    create: (onAnswer, onChange) =>
      createSearchList({ title: "Search your messages", items, theme, rows, onAnswer, onChange }),
  });
}
