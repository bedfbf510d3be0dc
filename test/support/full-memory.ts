import { learn } from "./learned-memory.ts";
import { writeHome } from "./write-files.ts";

const TOPICS = Array.from({ length: 20 }, (_, index) => `topic-${index}`);

const PROJECT_HOME = ".local/share/caliban/projects/SLUG";

/**
 * Writes a home directory with a project `~/app` and content in every part of memory, like that of a daily user: global
 * and project tiers with an import and a rule, topics of the project and about the user, and learned memory.
 * @param modelUrl where the provider of Anthropic models is
 */
export async function writeFullMemory(home: string, modelUrl: string): Promise<void> {
  const settings = `[memories]\nenabled = true\n\n[providers.anthropic]\nbase_url = "${modelUrl}"\n`;
  const { slug } = await writeHome(home, {
    ".config/caliban/settings.toml": settings,
    ".config/caliban/CLAUDE.md": "- Be brief.\n".repeat(50),
    "app/CLAUDE.md": `${"- Use pnpm, never npm.\n".repeat(200)}@docs/release.md\n`,
    "app/docs/release.md": "- Release with `pnpm release`.\n",
    "app/.claude/rules/style.md": "- Prefer short sentences.\n",
    ...topics(`${PROJECT_HOME}/memory`, "project"),
    ...topics(".local/share/caliban/user/memory", "user"),
  });
  await learn({ home, slug }, ["Builds run in CI."]);
}

function topics(directory: string, type: string): Readonly<Record<string, string>> {
  const fields = `description: "a fact"\nmetadata:\n  node_type: memory\n  type: ${type}`;
  const files = TOPICS.map((topic) => [
    `${directory}/${topic}.md`,
    `---\nname: ${topic}\n${fields}\n---\n\nA fact.\n`,
  ]);
  const lines = TOPICS.map((topic) => `- [${topic}](${topic}.md) — ${type}: a fact\n`);
  return {
    ...Object.fromEntries(files),
    [`${directory}/MEMORY.md`]: `# Memory index\n\n${lines.join("")}`,
  };
}
