import { describe, expect, it } from "vitest";
import * as root from "../src/index.ts";
import * as exchange from "../src/node/exchange/index.ts";
import * as node from "../src/node/index.ts";
import * as search from "../src/search/index.ts";
import * as secrets from "../src/secrets/index.ts";
import * as testing from "../src/testing/index.ts";

type Call = (...args: readonly unknown[]) => unknown;

const exported = { ...root, ...node, ...search, ...exchange, ...secrets, ...testing };
const functions: ReadonlyMap<string, Call> = new Map(
  Object.entries(exported)
    .filter(([name, value]) => typeof value === "function" && !/^(?:is)?MemoryError$/.test(name))
    .map(([name, value]) => [name, value as Call]),
);

const OPENED = { store: {}, directory: "memory", draftsDirectory: "drafts", locations: {} };

/** Wrong arguments of every exported function, as a caller without types may pass them, and the end of the message. */
const CASES: Readonly<
  Record<string, readonly (readonly [args: readonly unknown[], end: string])[]>
> = {
  buildPrefix: [
    [[], '"workspaceRoot" is required'],
    [[{ workspaceRoot: "/app", files: 5 }], '"files" must be a list'],
  ],
  renderReceipt: [
    [[], '"receipt" is required'],
    [[null], '"receipt" is required'],
  ],
  sanitize: [[[], "requires a string"]],
  sanitizeOutput: [[[], "requires a string"]],
  formatAge: [
    [[], '"updatedMs" is required'],
    [[0, "now"], '"nowMs" must be a number'],
  ],
  formatAgeWithWarning: [[[NaN, 0], '"updatedMs" must be a number']],
  slugKey: [[[5], "requires a string"]],
  parseNewTopicSlug: [[[], "requires a string"]],
  checkTopicFile: [
    [[], '"name" is required'],
    [[{ name: "deploy" }], '"text" is required'],
  ],
  linkedSlugs: [[[5], "requires a string"]],
  indexSize: [[[], "requires a string"]],
  createTopicStore: [
    [[], '"backend" is required'],
    [[{ backend: {} }], 'createTopicStore: backend: "list" is required'],
  ],
  createMapBackend: [[[null], '"input" must be an object']],
  parseTopic: [[[], "requires a string"]],
  renderTopic: [
    [[], '"name" is required'],
    [[{ name: "a", description: "d", body: 5 }], '"body" must be a string'],
    [
      [{ name: "a", description: "d", body: "b", type: "note" }],
      '"type" must be one of user, feedback, project, reference',
    ],
    [[{ name: "../a", description: "d", body: "b", type: "user" }], "it contains a path separator"],
  ],
  findSecrets: [[[], "requires a string"]],
  createMapTopicStore: [[[null], '"input" must be an object']],
  lazyTopicStore: [[[], '"open" is required']],
  undoneIds: [[[{}], '"changes" must be a list']],
  createStoreSearch: [
    [[], '"list" is required'],
    [[{ list: async () => [] }], '"read" is required'],
  ],
  recalledSlugs: [[[], "requires a string"]],
  framedNotes: [
    [[], '"text" is required'],
    [["a"], '"isOwnNonce" is required'],
  ],
  withoutNotes: [[["a"], '"isOwnNonce" is required']],
  renderNote: [
    [[], '"note" is required'],
    [[{ note: {}, nonce: "n" }], '"nowMs" is required'],
  ],
  noteEffect: [[[{ text: "a", before: [] }], '"after" is required']],
  unusedTopics: [[[{ counts: {} }], '"topics" is required']],
  readUse: [[[{ environment: {} }], '"project" is required']],
  recordUse: [
    [[], '"environment" is required'],
    [[{ environment: {}, project: "app" }], '"events" is required'],
  ],
  loadMemory: [
    [[], "no workspace directory given; pass its path, such as process.cwd()"],
    [[{ directory: 5 }], "no workspace directory given; pass its path, such as process.cwd()"],
  ],
  findWorkspace: [[[], "no workspace directory given; pass its path, such as process.cwd()"]],
  openProjectHome: [[[{}], "no workspace directory given; pass its path, such as process.cwd()"]],
  adoptMemory: [[[null], "no workspace directory given; pass its path, such as process.cwd()"]],
  openTopicStore: [[[], "no workspace directory given; pass its path, such as process.cwd()"]],
  openStoredNotes: [[[], "no workspace directory given; pass its path, such as process.cwd()"]],
  sharedProjectNames: [[[], "no workspace directory given; pass its path, such as process.cwd()"]],
  copyMemory: [
    [[], '"from" is required'],
    [[{ from: {} }], '"to" is required'],
    // A store is not a backend.
    [
      [{ from: root.createMapTopicStore(), to: root.createMapBackend() }],
      'from: "commit" is required',
    ],
    [
      [{ from: root.createMapBackend(), to: root.createMapTopicStore() }],
      'to: "commit" is required',
    ],
  ],
  findClaudeMemory: [[[], '"projectPath" is required']],
  openApprovals: [
    [[], '"kind" is required'],
    [["import"], '"workspaceRoot" is required'],
  ],
  approveFile: [[[{ path: "CLAUDE.md" }], '"workspaceRoot" is required']],
  createFsTopicStore: [
    [[], '"directory" is required'],
    [["memory"], '"directory" is required'],
    [[{ directory: 5 }], '"directory" must be a string'],
  ],
  editTopicFile: [
    [[], '"store" is required'],
    [[OPENED], '"name" is required'],
    [[OPENED, { name: "deploy" }], '"edit" is required'],
  ],
  eraseTopic: [
    [[], '"store" is required'],
    [[OPENED], '"slug" is required'],
  ],
  diagnoseTopics: [
    [[], '"store" is required'],
    [[{ store: 5 }], '"store" must be an object'],
  ],
  checkoutRemotes: [[[], '"workspace" is required']],
  identifyCheckout: [[[], "no workspace directory given; pass its path, such as process.cwd()"]],
  teamTopicsSource: [
    [[], '"directory" is required'],
    [[{ directory: "team" }], '"ownNames" is required'],
  ],
  writeSharedTopics: [
    [[], '"directory" is required'],
    [["team"], '"topics" is required'],
  ],
  createEvidenceCheck: [
    [[], '"root" is required'],
    [[{ root: 5 }], '"root" must be a string'],
  ],
  listProjects: [[[null], '"options" must be an object']],
  repairTopics: [[[null], '"store" is required']],
  // Opens on first use, so the first search reports it.
  openMemorySearch: [],
  forgetSearch: [[[], '"environment" is required']],
  createSearchIndex: [
    [[5], '"documents" must be a list'],
    [[[{ body: "no id" }]], '"id" is required'],
  ],
  createEmbeddedSearch: [
    [[], '"embed" is required'],
    [[{ embed: 5 }], '"embed" must be a function'],
  ],
  searchTerms: [[[], "requires a string"]],
  parseSince: [
    [[], '"text" is required'],
    [["7d"], '"nowMs" is required'],
  ],
  openInbox: [[[], '"directory" is required']],
  resolveProjectPath: [[[{}], '"root" is required']],
  workspaceMentions: [[[{ workspace: "." }], '"text" is required']],
  withMarks: [[[{ text: "a" }, {}], '"marks" is required']],
  formatDayAndAge: [[[0], '"nowMs" is required']],
  formatSearchedCounts: [[[{ topics: 1 }], '"turns" is required']],
  toJson: [
    [[], '"topics" is required'],
    [[{ topics: [], sessions: [] }], '"nowMs" is required'],
  ],
  planImport: [
    [[], '"topics" is required'],
    [[{ topics: {} }], '"store" is required'],
    [
      [{ from: "cursor", topics: { ...OPENED, environment: {} } }],
      '"from" must be one of claude, codex, gemini, agents-md, dir',
    ],
  ],
  planExport: [[[null], '"store" is required']],
  topicBackendCases: [[[], '"createBackend" is required']],
  topicStoreCases: [[[], '"createStore" is required']],
};

const STORE_CASES: readonly (readonly [method: string, args: readonly unknown[], end: string])[] = [
  ["read", [], '"name" is required'],
  ["read", [5], '"name" must be a string'],
  ["write", [], '"name" is required'],
  ["write", [{ name: "a", description: "d", body: "b" }], '"author" is required'],
  ["edit", [{ name: "a", author: { who: "agent" } }], '"text" is required'],
  ["rename", [{ from: "a" }], '"to" is required'],
  ["remove", [{ name: "a" }], '"author" is required'],
  ["editIndex", [], '"change" is required'],
  ["importTopics", [{}], '"files" is required'],
  ["undo", [], '"author" is required'],
  ["erase", [], '"name" is required'],
];

async function call(run: Call | undefined, args: readonly unknown[]): Promise<unknown> {
  return await run?.(...args);
}

describe("wrong arguments", () => {
  it("lists wrong arguments for every exported function", () => {
    expect(Object.keys(CASES).toSorted()).toEqual([...functions.keys()].toSorted());
  });

  it.for(
    Object.entries(CASES).flatMap(([name, cases]) =>
      cases.map(([args, end]) => ({ name, args, end })),
    ),
  )("$name reports wrong arguments: $end", async ({ name, args, end }) => {
    await expect(call(functions.get(name), args)).rejects.toMatchObject({
      name: "MemoryError",
      message: expect.stringContaining(end) as string,
    });
  });

  it.for(STORE_CASES)(
    "the method %s of a store reports wrong arguments: %j",
    async ([method, args, end]) => {
      const store: object = node.createFsTopicStore({ directory: "/nonexistent/memory" });
      await expect(call(Reflect.get(store, method) as Call, args)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: `${method}: ${end}`,
      });
    },
  );

  it("openMemorySearch reports wrong arguments with the first search", async () => {
    const open = functions.get("openMemorySearch");
    const opened = open?.() as { readonly search: Call };
    await expect(call(opened.search, [{ query: "x" }])).rejects.toMatchObject({
      code: "WORKSPACE_NOT_FOUND",
    });
  });
});
