import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import {
  createToolRunner,
  parsePolicy,
  type ToolRunner,
} from "../../../packages/agent-core/src/index.ts";
import { createFsTopicStore } from "../../../packages/memory/src/node/index.ts";
import {
  createMemoryResolver,
  createMemoryTools,
} from "../../../packages/tools-builtin/src/index.ts";
import { createFileTools } from "../../../packages/tools-builtin/src/node/index.ts";
import { DENYING_RULES, waysToTopic } from "../../../test/attack/denied-topic.ts";
import {
  type Attempt,
  requireOrdinary,
  resultText,
  SECRET,
  type Surface,
  withDirectory,
} from "../surface.ts";

const TOPIC = {
  name: "payroll",
  description: "salaries",
  type: "project",
  body: `Salaries: ${SECRET}`,
  author: { who: "agent" },
} as const;

/** A topic that a rule denies, by every way to reach it. */
export const memoryRules: Surface = {
  name: "deny rules on memory topics",
  attack: async () =>
    await withDirectory(async (home) => {
      const directory = join(home, "memory");
      const store = createFsTopicStore({ directory, historyDirectory: join(home, "history") });
      await store.write(TOPIC);
      await mkdir(join(home, "app"));
      await symlink(directory, join(home, "app/linked"));
      await symlink(join(directory, "payroll.md"), join(home, "app/linked-topic"));
      const attempts: Attempt[] = [];
      const free = runnerWith({ home, directory, store, rule: undefined });
      const shown = await Promise.all(
        waysToTopic(home)
          .filter(({ name }) => /^Read|^Grep/.test(name))
          .map(async (call) => (await free.run(call)).text.includes(SECRET)),
      );
      requireOrdinary(shown.filter(Boolean).length > 20, "the topic cannot be read without a rule");
      for (const rule of DENYING_RULES) {
        const { run } = runnerWith({ home, directory, store, rule });
        for (const call of waysToTopic(home)) {
          const text = await resultText(async () => await run(call));
          const name = `${rule}: ${call.name} ${JSON.stringify(call.input)}`;
          // A rule about reading does not keep the topic from being removed.
          if ((await store.read("payroll")) === undefined) await store.write(TOPIC);
          attempts.push({ name: name.replaceAll(home, "~"), succeeded: text.includes(SECRET) });
        }
      }
      return attempts;
    }),
};

function runnerWith(input: {
  readonly home: string;
  readonly directory: string;
  readonly store: ReturnType<typeof createFsTopicStore>;
  readonly rule: string | undefined;
}): ToolRunner {
  const { home, directory, store, rule } = input;
  const rules = rule === undefined ? [] : [rule];
  const { policy, invalid } = parsePolicy([{ list: "deny", source: "--deny", rules }], "yolo");
  requireOrdinary(invalid.length === 0, `invalid rule ${rule}`);
  const tools = [
    ...createMemoryTools({ store, policy }),
    ...createFileTools({
      root: join(home, "app"),
      home,
      env: { HOME: home },
      memoryDirectory: directory,
      readableDirectories: [directory],
      resolveUrl: createMemoryResolver({ topics: store, policy }),
      findRipgrep: () => undefined,
      policy,
    }),
  ];
  return createToolRunner({ tools, policy });
}
