const MEGABYTE = 1_000_000;

/** Queries that no user would type, by description. */
export function badQueries(): ReadonlyMap<string, string> {
  return new Map([
    ["empty", ""],
    ["only stop words", "what did they say about it and who was it that they said it to"],
    ["1 MB of words", filled((n) => `word${n} design project meeting `)],
    ["1 MB of the same word", filled(() => "project ")],
    ["1 MB without a space", filled(() => "project")],
    ["1 MB of Chinese", filled((n) => String.fromCodePoint(0x4e_00 + (n % 20_000)))],
    ["1 MB of accents", filled(() => "é\u0301")],
    ["1 MB of unpaired surrogates", filled(() => "\ud800 ")],
    ["regular expressions", "(a+)+$ .* [^]]{2,} \\b(?=project) (?:design|.*)*"],
    ["SQL", `'; DROP TABLE topics; -- " OR 1=1 NEAR(project design) * ^`],
    ["NUL", "pro\0ject \0 design\0"],
  ]);
}

function filled(part: (n: number) => string): string {
  const parts: string[] = [];
  for (let size = 0; size < MEGABYTE; size += parts.at(-1)?.length ?? 1)
    parts.push(part(parts.length));
  return parts.join("");
}
