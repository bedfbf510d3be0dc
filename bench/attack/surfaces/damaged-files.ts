import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMemoryError } from "../../../packages/memory/src/index.ts";
import {
  createFsTopicStore,
  type FsTopicStore,
  loadMemory,
} from "../../../packages/memory/src/node/index.ts";
import { isSettingsError } from "../../../packages/settings/src/index.ts";
import { loadSettings } from "../../../packages/settings/src/node/index.ts";
import { DAMAGES, FOREIGN_LOCKS, HOSTILE_HEADERS } from "../../../test/attack/damaged-files.ts";
import { writeHome } from "../../../test/support/write-files.ts";
import {
  type Attempt,
  contentOf,
  requireOrdinary,
  type Surface,
  withDirectory,
} from "../surface.ts";

const author = { who: "person" } as const;
const topic = { description: "what it is", type: "project", author } as const;
const KEPT = "the text of another topic";

/** What a user does next. */
const VERBS: Readonly<Record<string, (store: FsTopicStore) => Promise<unknown>>> = {
  list: async (store) => await store.list(),
  read: async (store) => await store.read("victim"),
  index: async (store) => await store.index(),
  log: async (store) => await store.log(),
  write: async (store) => await store.write({ ...topic, name: "new", body: "New." }),
  "replace it": async (store) =>
    await store.write({ ...topic, name: "victim", body: "New.", replace: true }),
  remove: async (store) => await store.remove({ name: "victim", author }),
  rename: async (store) => await store.rename({ from: "victim", to: "renamed", author }),
  undo: async (store) => await store.undo({ author }),
  "rebuild the index": async (store) => await store.rebuildIndex(),
};

/** Damaged files: nothing may crash, and no other topic may be lost. */
export const damagedFiles: Surface = {
  name: "damaged files",
  attack: async () => [...(await damageStore()), ...(await damageStart())],
};

type Damage = (bytes: Uint8Array) => Uint8Array;

async function damageStore(): Promise<readonly Attempt[]> {
  const targets = ["memory/victim.md", "memory/MEMORY.md", "history", "memory/.lock"];
  const attempts: Attempt[] = [];
  for (const target of targets) {
    for (const [what, damage] of damagesOf(target)) {
      for (const [verb, act] of Object.entries(VERBS)) {
        const succeeded = await withDirectory(async (home) => {
          const open = (): FsTopicStore => openStore(home);
          await open().write({ ...topic, name: "other", body: KEPT });
          await open().write({ ...topic, name: "victim", body: "Old." });
          await damageFile(home, target, damage);
          const isTyped = await failsTyped(async () => await act(open()));
          // Undo takes back the newest change that is left in the history, which may be this one.
          const isKept = verb === "undo" || (await contentOf(join(home, "memory"))).includes(KEPT);
          return !isTyped || !isKept;
        });
        attempts.push({ name: `${target}, ${what}: ${verb}`, succeeded });
      }
    }
  }
  return attempts;
}

function openStore(home: string): FsTopicStore {
  return createFsTopicStore({
    directory: join(home, "memory"),
    historyDirectory: join(home, "history"),
    lockTiming: { timeoutMs: 30, pollMs: 5 },
  });
}

function damagesOf(target: string): readonly (readonly [string, Damage])[] {
  if (target.endsWith(".lock")) {
    return FOREIGN_LOCKS.map((text) => [text.slice(0, 60), () => Buffer.from(text)]);
  }
  const headers = Object.entries(HOSTILE_HEADERS).map(
    ([what, header]) => [what, () => Buffer.from(`---\n${header}\n---\n\nBody.\n`)] as const,
  );
  return [...Object.entries(DAMAGES), ...(target.endsWith("victim.md") ? headers : [])];
}

/** Damages a file, or every file of a directory. */
async function damageFile(home: string, target: string, damage: Damage): Promise<void> {
  const path = join(home, target);
  if (target !== "history") {
    const before = target.endsWith(".lock") ? new Uint8Array() : await readFile(path);
    await writeFile(path, damage(before));
    return;
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  requireOrdinary(files.length > 0, "there is no history");
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    await writeFile(file, damage(await readFile(file)));
  }
}

/** Settings and instruction files that are read at the start of a session. */
async function damageStart(): Promise<readonly Attempt[]> {
  const files = {
    ".config/caliban/settings.toml": 'claude_md_excludes = ["x.md"]\n\n[memory]\nauto = true\n',
    "app/.caliban/settings.toml": '[permissions]\ndeny = ["shell.run(rm *)"]\n',
    "app/CLAUDE.md": "---\ntitle: x\n---\n\nUse pnpm.\n\n@a.md\n",
    "app/a.md": "More.\n",
    "app/.caliban/rules/a.md": '---\npaths: "src/**"\n---\n\nUse tabs.\n',
    ".local/share/caliban/projects/SLUG/memory/MEMORY.md": "# Memory index\n\n- [a](a.md) — x\n",
    ".local/share/caliban/projects/SLUG/memory/a.md": "---\nname: a\ndescription: x\n---\n\nx\n",
  };
  const attempts: Attempt[] = [];
  for (const [name, text] of Object.entries(files)) {
    for (const [what, damage] of Object.entries(DAMAGES)) {
      const succeeded = await withDirectory(async (home) => {
        const { slug } = await writeHome(home, files);
        await writeFile(join(home, name.replace("SLUG", slug)), damage(Buffer.from(text)));
        const [env, workspaceRoot] = [{ HOME: home }, join(home, "app")];
        const isTyped = await failsTyped(async () => {
          await loadSettings({ env, platform: "linux", home, workspaceRoot });
        });
        const isLoaded = await failsTyped(async () => {
          const { activate } = await loadMemory({ directory: workspaceRoot, env, home });
          await activate(join(workspaceRoot, "src/x.ts"));
        });
        return !isTyped || !isLoaded;
      });
      attempts.push({ name: `${name}, ${what}`, succeeded });
    }
  }
  return attempts;
}

/** Whether an action ends well or with an error that says what to do. Anything else is a crash. */
async function failsTyped(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    return isMemoryError(error) || isSettingsError(error);
  }
}
