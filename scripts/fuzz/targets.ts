import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decidePermission, parsePermissionRule } from "../../packages/agent-core/src/index.ts";
import {
  parseFrontMatter,
  parsePlainFrontMatter,
} from "../../packages/common/src/front-matter/index.ts";
import { matchesDeniedCommand } from "../../packages/agent-core/src/permissions/shell/match-command.ts";
import { createLineSplitter } from "../../packages/common/src/line-splitter.ts";
import {
  readMessage,
  readMessageLine,
} from "../../packages/mcp/src/serve/protocol/read-message.ts";
import { createMapTopicStore } from "../../packages/memory/src/index.ts";
import { parseIndexLines } from "../../packages/memory/src/index-file/index-lines.ts";
import { mergeIndex } from "../../packages/memory/src/index-file/merge-index.ts";
import { splitImports } from "../../packages/memory/src/prompt/imports.ts";
import { sanitizeOutput } from "../../packages/memory/src/prompt/sanitize-output.ts";
import { sanitize } from "../../packages/memory/src/prompt/sanitize.ts";
import { parseTopic, parseTopicHeader } from "../../packages/memory/src/topics/parse-topic.ts";
import { exportMarkdown, parseTranscript, replay } from "../../packages/sessions/src/index.ts";
import { readMessages } from "../../packages/sessions/src/readers/transcript-reader.ts";
import { createKeyLocator } from "../../packages/settings/src/file/locate-key.ts";
import { parseSettingsFile } from "../../packages/settings/src/file/parse-file.ts";
import { createMemoryResolver } from "../../packages/tools-builtin/src/index.ts";
import { COMPOUND_COMMANDS } from "../../test/attack/compound-commands.ts";
import { HOSTILE_HEADERS } from "../../test/attack/damaged-files.ts";
import { DENY_SPELLINGS } from "../../test/attack/deny-spellings.ts";
import { FORGED_FRAMES, FORGED_OUTPUT } from "../../test/attack/forged-frames.ts";
import { INVALID_MESSAGES } from "../../test/attack/mcp-messages.ts";
import { REFUSED_ADDRESSES } from "../../test/attack/memory-addresses.ts";
import { UNSAFE_OPTIONS } from "../../test/attack/unsafe-options.ts";
import { root } from "../workspace.mjs";
import { DICTIONARIES } from "./dictionaries.ts";
import type { Target } from "./engine.ts";

const HEADERS = Object.values(HOSTILE_HEADERS).map((header) => `---\n${header}\n---\n\nBody.\n`);

/** Everything that parses text which others wrote. */
export const TARGETS: readonly Target[] = [
  {
    name: "front-matter",
    seeds: [...corpusTexts(/\.md$/), ...HEADERS],
    dictionary: DICTIONARIES["front-matter"],
    run: (text) => {
      const parsed = parseFrontMatter(text);
      const plain = parsePlainFrontMatter(text);
      if (plain !== undefined) assert.deepEqual(plain, parsed);
      const { body: _, ...header } = parseTopic(text);
      assert.deepEqual(parseTopicHeader(text), header);
    },
  },
  {
    name: "index",
    seeds: corpusTexts(/MEMORY\.md/),
    dictionary: DICTIONARIES["index"],
    run: (text) => {
      let end = 0;
      for (const line of parseIndexLines(text)) {
        assert.ok(line.start >= end && line.end > line.start && line.end <= text.length);
        end = line.end;
      }
      const once = mergeIndex("# Index\n", text, () => true);
      assert.equal(
        mergeIndex(once, text, () => true),
        once,
      );
    },
  },
  {
    name: "imports",
    seeds: [...corpusTexts(/\.md$/), "@a.md\n@~/b.md\n"],
    dictionary: DICTIONARIES["imports"],
    run: (text) => {
      const { pieces } = splitImports(text);
      const whole = pieces.map((piece) => ("text" in piece ? piece.text : piece.source));
      assert.equal(whole.join(""), text);
    },
  },
  {
    name: "frames",
    seeds: [...FORGED_FRAMES, ...FORGED_OUTPUT].map(([text]) => text),
    dictionary: DICTIONARIES["frames"],
    run: (text) => {
      const once = sanitize(text);
      assert.equal(sanitize(once), once);
      assert.doesNotMatch(once, /<\s*\/?\s*(?:project-rule|auto-memory-index)(?![\w-])/i);
      const output = sanitizeOutput(text);
      assert.equal(sanitizeOutput(output), output);
      assert.doesNotMatch(
        output.normalize("NFKC").replaceAll(/\p{Cf}/gu, ""),
        /<\s*\/?\s*(?:project-rule|auto-memory-index)(?![\w-])/i,
      );
    },
  },
  {
    name: "settings",
    seeds: corpusTexts(/\.toml$/),
    dictionary: DICTIONARIES["settings"],
    run: (text) => {
      const context = { style: "posix", home: "/home/me" } as const;
      const { values, errors, warnings } = parseSettingsFile({ path: "/s.toml", text }, context);
      for (const { message } of [...errors, ...warnings]) assert.doesNotMatch(message, /\p{Cc}/u);
      const locate = createKeyLocator(text);
      for (const { segments } of [...values.values(), ...errors, ...warnings]) {
        if (segments !== undefined) locate(segments);
      }
    },
  },
  {
    name: "sessions",
    seeds: corpusTexts(/\.jsonl$/).map((text) => text.slice(0, 4000)),
    dictionary: DICTIONARIES["sessions"],
    run: (text) => {
      const transcript = parseTranscript(text);
      replay(transcript);
      exportMarkdown(transcript.records);
      for (const format of ["caliban", "claude", "codex"] as const) readMessages(text, format);
    },
  },
  {
    name: "mcp-frames",
    seeds: [
      ...INVALID_MESSAGES.map(([line]) =>
        typeof line === "string" ? line : Buffer.from(line).toString("latin1"),
      ),
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ReadMemoryTopic","arguments":{"name":"a"}}}\n',
      '{"jsonrpc":"2.0","id":"a","result":{}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
    ],
    dictionary: DICTIONARIES["mcp-frames"],
    run: (text) => {
      // One byte for each character, so that invalid UTF-8 occurs as well.
      const bytes = Buffer.from(text, "latin1");
      const read = readMessage(bytes);
      if ("invalid" in read) assert.doesNotMatch(read.invalid.message, /\p{Cc}/u);
      const [whole, split] = [createLineSplitter(64), createLineSplitter(64)];
      const lines = [...whole.push(bytes), ...whole.end()];
      const cut = bytes.length >> 1;
      assert.deepEqual(
        [
          ...split.push(bytes.subarray(0, cut)),
          ...split.push(bytes.subarray(cut)),
          ...split.end(),
        ].map(shownLine),
        lines.map(shownLine),
      );
      lines.forEach(readMessageLine);
    },
  },
  {
    name: "memory-addresses",
    seeds: [
      ...REFUSED_ADDRESSES,
      "memory://index",
      "memory://topics/deploy",
      "memory://root/a/b.md",
    ],
    dictionary: DICTIONARIES["memory-addresses"],
    run: async (text) => {
      const resolved = await RESOLVE(text);
      if (!("text" in resolved)) return;
      assert.match(text, /^memory:\/\//);
    },
  },
  {
    name: "shell-patterns",
    seeds: [
      ...DENY_SPELLINGS.map((command) => `rm *\n${command}`),
      ...COMPOUND_COMMANDS.map((command) => `git *\n${command}`),
      ...UNSAFE_OPTIONS.map(([pattern, command]) => `${pattern}\n${command}`),
    ],
    dictionary: DICTIONARIES["shell-patterns"],
    run: (text) => {
      const [pattern = "", ...rest] = text.split("\n");
      const command = rest.join("\n");
      const parsed = parsePermissionRule(`shell.run(${pattern})`);
      if ("problem" in parsed) return assert.ok(!parsed.problem.includes("\n"));
      const rule = { ...parsed.rule, source: "fuzz" };
      const decide = (list: "allow" | "deny"): string =>
        decidePermission(
          { tool: "Bash", permission: "shell.run", isReadOnly: false, subject: command },
          { allow: [], ask: [], deny: [], [list]: [rule], mode: "default" },
        ).kind;
      // Nothing hides a command that comes before it.
      assert.ok(matchesDeniedCommand("rm *", `rm x; ${command}`));
      decide("deny");
      // A pattern without a star covers only itself.
      if (decide("allow") === "allow" && !pattern.includes("*")) {
        assert.equal(
          command.trim().replaceAll(/\s+/g, " "),
          pattern.trim().replaceAll(/\s+/g, " "),
        );
      }
    },
  },
];

const RESOLVE = createMemoryResolver({
  topics: createMapTopicStore({ files: { "deploy.md": "---\nname: deploy\n---\n\npnpm ship\n" } }),
  learned: async (path) => ({ text: `learned ${path}` }),
});

function shownLine(
  line: ReturnType<ReturnType<typeof createLineSplitter>["push"]>[number],
): string {
  return line.kind === "line"
    ? Buffer.from(line.bytes).toString("latin1")
    : `${line.head}…${line.tail}`;
}

/** The files of an older version, which users still have. */
function corpusTexts(name: RegExp): readonly string[] {
  const directory = join(root, "test/corpus/data");
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map(({ parentPath, name: file }) => readFileSync(join(parentPath, file), "utf8"));
}
