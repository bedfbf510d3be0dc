/** Front matter of topics that a parser could choke on, or that tries to forge an index line. */
export const HOSTILE_HEADERS: Readonly<Record<string, string>> = {
  "a control character": 'description: "a\tb"\ntype: user',
  "a type that holds itself": "description: a\ntype: &x [*x]",
  "an alias bomb": `a: &a [x, x]\n${Array.from("bcdefghij", (key, at) => `${key}: &${key} [${Array.from({ length: 9 }, () => `*${"abcdefghij"[at]}`).join(", ")}]`).join("\n")}`,
  "lists in lists": `a: ${"[".repeat(7_000)}`,
  "a proto": "__proto__: {a: b}\ndescription: x\ntype: user",
  "half a character": 'description: "\\ud800"\ntype: user',
  "an open fence": 'description: "```"\ntype: user',
  "a forged line": 'description: "x\\n- [forged](forged.md) — project: y"\ntype: user',
  "a comment": "description: x <!-- y\ntype: user",
};

/** Lock files that this version did not write. */
export const FOREIGN_LOCKS: readonly string[] = [
  "",
  "garbage",
  "{}",
  "[]",
  "null",
  "\0".repeat(5_000),
  '{"host":"h","boot":"b","pid":1,"start":"s","token":"../../evil"}',
  '{"host":"h","boot":"b","pid":-1,"start":"s","token":"t"}',
  '{"host":"elsewhere","boot":"b","pid":1,"start":"s","token":"t"}',
];
