import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { loadMemory } from "../../../packages/memory/src/node/index.ts";
import { memorySettings } from "../../../packages/settings/src/index.ts";
import { loadSettings, type LoadedSettings } from "../../../packages/settings/src/node/index.ts";
import {
  INSTRUCTION_FILES,
  leavingImports,
  LINKED_FILES,
  REMOVING_SETTINGS,
} from "../../../test/attack/hostile-repository.ts";
import { LOOSENING_SETTINGS } from "../../../test/attack/loosening-settings.ts";
import { writeFiles, writeHome } from "../../../test/support/write-files.ts";
import { type Attempt, requireOrdinary, SECRET, type Surface, withDirectory } from "../surface.ts";

const OWN = "the user's own instructions";
const SETTINGS_FILES = ["app/.caliban/settings.toml", "app/.caliban/settings.local.toml"];

/** What a repository can do to a user who clones it and starts a session. */
export const hostileClone: Surface = {
  name: "hostile clone: settings, imports, links",
  attack: async () => [
    ...(await loosenSettings()),
    ...(await importOutside()),
    ...(await linkOutside()),
    ...(await removeOwnFiles()),
  ],
};

async function loosenSettings(): Promise<readonly Attempt[]> {
  const user = 'claude_md_excludes = ["CLAUDE.md"]\nmemory.auto = false\n';
  const attempts: Attempt[] = [];
  for (const [given] of LOOSENING_SETTINGS) {
    for (const file of SETTINGS_FILES) {
      const { values, trusted, warnings } = await withDirectory(
        async (home) =>
          await settingsOf(home, { ".config/caliban/settings.toml": user, [file]: toToml(given) }),
      );
      requireOrdinary(!trusted["memory.auto"], "the user's settings are not read");
      requireOrdinary(
        warnings.every(({ code }) => code === "NOT_FOR_PROJECTS"),
        `invalid settings ${toToml(given)}`,
      );
      const name = `${file}: ${toToml(given)}`;
      attempts.push({ name, succeeded: !isDeepStrictEqual(values, trusted) });
    }
  }
  return attempts;
}

async function importOutside(): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  for (const file of INSTRUCTION_FILES) {
    for (const [at] of leavingImports("").entries()) {
      const attempt = await withDirectory(async (home) => {
        const line = leavingImports(home)[at] ?? "";
        const files = { [file]: `${line}\n`, "app/a.md": "@../outside/secret.md\n" };
        const links = [
          ["app/link.md", "../outside/secret.md"],
          ["app/linked", "../outside"],
        ] as const;
        const prompt = await promptOf(home, files, links);
        return { name: `${file}: ${line}`, succeeded: prompt.includes(SECRET) };
      });
      attempts.push(attempt);
    }
  }
  return attempts;
}

async function linkOutside(): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  for (const link of LINKED_FILES) {
    const prompt = await withDirectory(async (home) => await promptOf(home, {}, [link]));
    attempts.push({ name: link.join(" -> "), succeeded: prompt.includes(SECRET) });
  }
  return attempts;
}

async function removeOwnFiles(): Promise<readonly Attempt[]> {
  const own = { ".config/caliban/CLAUDE.md": `${OWN} 1\n`, "app/CLAUDE.local.md": `${OWN} 2\n` };
  const attempts: Attempt[] = [];
  for (const settings of ["", ...REMOVING_SETTINGS]) {
    const prompt = await withDirectory(
      async (home) =>
        await promptOf(home, { ...own, "app/.caliban/settings.toml": `${settings}\n` }),
    );
    const isComplete = prompt.includes(`${OWN} 1`) && prompt.includes(`${OWN} 2`);
    if (settings === "") requireOrdinary(isComplete, "the user's files are not in the prompt");
    else attempts.push({ name: settings, succeeded: !isComplete });
  }
  return attempts;
}

async function settingsOf(
  home: string,
  files: Readonly<Record<string, string>>,
): Promise<LoadedSettings> {
  await writeHome(home, files);
  const workspaceRoot = join(home, "app");
  return await loadSettings({ env: { HOME: home }, platform: "linux", home, workspaceRoot });
}

/** The prompt prefix of a project with these files and links. */
async function promptOf(
  home: string,
  files: Readonly<Record<string, string>>,
  links: readonly (readonly [name: string, target: string])[] = [],
): Promise<string> {
  await writeFiles(home, { "outside/secret.md": `${SECRET}\n` });
  for (const [name, target] of links) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await symlink(target, join(home, name));
  }
  const settings = memorySettings(await settingsOf(home, files));
  const env = { HOME: home };
  const { prefix } = await loadMemory({ directory: join(home, "app"), env, home, settings });
  return prefix;
}

/** Renders settings with dotted keys. */
function toToml(given: object): string {
  const lines = (value: unknown, key: string): readonly string[] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([name, inner]) =>
          lines(inner, key === "" ? name : `${key}.${name}`),
        )
      : [`${key} = ${JSON.stringify(value)}`];
  return lines(given, "").join("\n");
}
