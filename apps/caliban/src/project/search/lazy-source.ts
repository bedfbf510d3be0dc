import type { SearchSource } from "@caliban/memory/search";

/** A source whose code is loaded when it is first asked: to recall a topic takes none of it. */
export function lazySource(name: string, load: () => Promise<SearchSource>): SearchSource {
  let loading: Promise<SearchSource> | undefined;
  const source = (): Promise<SearchSource> => (loading ??= load());
  return {
    name,
    list: async () => await (await source()).list(),
    read: async (entry, before) => await (await source()).read(entry, before),
    show: async (id) => await (await source()).show(id),
  };
}
