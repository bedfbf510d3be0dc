/** Names that lead elsewhere, or to a file that is not a topic. */
export const REFUSED_NAMES: readonly string[] = [
  "",
  "/",
  "a/b",
  "../x",
  "..",
  "a..b",
  "a...",
  String.raw`a\b`,
  String.raw`..\x`,
  String.raw`C:\x`,
  "/etc/passwd",
  "file:///etc/passwd",
  "a\0",
  "\0",
  ".",
  ".hidden",
  "MEMORY",
  "memory",
  "MeMoRy",
];

/** Names that a user may give a file but that no new topic gets. */
export const READ_ONLY_NAMES: readonly string[] = [
  "a:b",
  "C:x",
  "a*b",
  "a?b",
  'a"b',
  "<x>",
  "a|b",
  "50% off",
  "a)b",
  "a]b",
  "-a",
  "_a",
  " a",
  "a ",
  "a.",
  "notes.md",
  "NOTES.MD",
  "con",
  "CON",
  "Aux.txt",
  "nul .txt",
  "com1",
  "LPT9",
  "com¹",
  "lpt².x",
  "a\nb",
  "a\tb",
  "a\u001Bb",
  "a\u200Bb",
  "a\u202Eb",
  "%2e%2e%2fx",
  "a\u2215b",
  "a\uFF0Fb",
  "a\uFF3Cb",
  "\uFF0E\uFF0E",
  "a\u2024\u2024b",
  "😀",
  "a+b",
  "x".repeat(101),
  "é".repeat(51),
  "\uD800",
];

/** Names that lead to a file outside; the path is absolute and has no extension. */
export function leavingNames(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return [
    path,
    `${path}.md`,
    `../../${name}`,
    `../../${name}.md`,
    `./../../${name}`,
    `x/../../../${name}`,
    `..\\..\\${name}`,
    `..%2f..%2f${name}`,
    `..%252f..%252f${name}`,
    `%2e%2e/%2e%2e/${name}`,
    `..\u2215..\u2215${name}`,
    `\uFF0E\uFF0E/\uFF0E\uFF0E/${name}`,
    `../../${name}\0`,
    `../../${name}\0.md`,
    `....//....//${name}`,
    `file://${path}`,
    `~/${name}`,
    `\\\\?\\${path}`,
  ];
}

/** The same for the paths of Anthropic's memory tool. */
export function anthropicPaths(path: string): readonly string[] {
  const names = leavingNames(path);
  return [
    ...names,
    ...names.map((name) => `/memories/${name}`),
    ...names.map((name) => `/memories/${name}.md`),
    "/memories/../memories2/x.md",
    "/memoriesx/x.md",
    "/Memories/../x.md",
    "memories/../../x.md",
    "//memories//..//x.md",
    "/memories/./../x.md",
    "/memories/sub/../../x.md",
  ];
}
