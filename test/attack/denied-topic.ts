/** Rules that deny reading the topic `payroll`. */
export const DENYING_RULES: readonly string[] = [
  "memory.read(pay*)",
  "memory.read(payroll)",
  "memory.read",
  "memory",
  "memory.*",
  "fs.read(memory://topics/pay*)",
  "fs.read(memory://*)",
];

/** A call of a tool that could show the topic. The memory directory is `~/memory`, the workspace `~/app`. */
export interface TopicCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Every way to reach the topic. The workspace has a link `linked` to the memory directory. */
export function waysToTopic(home: string): readonly TopicCall[] {
  const names = [
    "payroll",
    "PAYROLL",
    "Payroll",
    "payroll.md",
    "ｐayroll",
    "payroll ",
    "./payroll",
  ];
  const addresses = [
    "payroll",
    "PAYROLL",
    "p%61yroll",
    "pay%72oll",
    "./payroll",
    "/payroll",
    "payroll/",
    "payroll.md",
    "%70%61%79%72%6f%6c%6c",
  ];
  const files = [
    `${home}/memory/payroll.md`,
    "~/memory/payroll.md",
    "../memory/payroll.md",
    "linked/payroll.md",
    "./linked/./payroll.md",
    "linked-topic",
    `${home}/memory/../memory/payroll.md`,
    `${home}/memory/PAYROLL.md`,
  ];
  const directories = [`${home}/memory`, "~/memory", "../memory", "linked"];
  return [
    ...names.map((name) => ({ name: "ReadMemoryTopic", input: { name } })),
    ...names.map((name) => ({
      name: "WriteMemoryTopic",
      input: { name, description: "x", type: "project", body: "x" },
    })),
    ...names.map((name) => ({ name: "DeleteMemoryTopic", input: { name } })),
    ...["payroll", "salaries", "hidden", "the text"].flatMap((query) => [
      { name: "MemorySearch", input: { query } },
      { name: "MemorySearch", input: { query, kind: "topics" } },
    ]),
    ...addresses.map((name) => ({ name: "Read", input: { file_path: `memory://topics/${name}` } })),
    ...addresses.map((name) => ({ name: "Read", input: { file_path: `memory://Topics/${name}` } })),
    ...files.map((path) => ({ name: "Read", input: { file_path: path } })),
    ...files.map((path) => ({ name: "Grep", input: { pattern: "must-stay", path } })),
    ...directories.map((path) => ({ name: "Grep", input: { pattern: "must-stay", path } })),
    ...directories.map((path) => ({
      name: "Grep",
      input: { pattern: "must-stay", path, glob: "pay*" },
    })),
    { name: "Grep", input: { pattern: "must-stay" } },
    { name: "Grep", input: { pattern: "must-stay", path: "~" } },
  ];
}
