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

/** What happens to the bytes of a file: a crash, a bad disk, another program, a bad merge. */
export const DAMAGES: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  empty: () => new Uint8Array(),
  "cut in half": (bytes) => bytes.subarray(0, bytes.length >> 1),
  "without its last byte": (bytes) => bytes.subarray(0, -1),
  zeros: (bytes) => new Uint8Array(bytes.length + 1),
  "zeros at the end": (bytes) => Buffer.concat([bytes, new Uint8Array(512)]),
  "not UTF-8": (bytes) => Buffer.concat([bytes, Uint8Array.of(0xff, 0xfe, 0xc0, 0x80)]),
  "every byte inverted": (bytes) => bytes.map((byte) => byte ^ 0xff),
  "a flipped bit": (bytes) => bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte)),
  twice: (bytes) => Buffer.concat([bytes, bytes]),
  "a byte order mark": (bytes) => Buffer.concat([Uint8Array.of(0xef, 0xbb, 0xbf), bytes]),
  "CRLF lines": (bytes) => Buffer.from(Buffer.from(bytes).toString().replaceAll("\n", "\r\n")),
  "merge markers": (bytes) =>
    Buffer.concat([Buffer.from("<<<<<<< HEAD\n"), bytes, Buffer.from("=======\n>>>>>>> x\n")]),
  "another format": () => Buffer.from('{"version":99,"entries":[null,{"id":{}}]}\n'),
  "a list in lists": () => Buffer.from("[".repeat(50_000)),
  "a long line": () => Buffer.from("x".repeat(300_000)),
};
