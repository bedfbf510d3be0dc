import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/table/commands.ts";
import { machine, type Machine } from "../fake-host.ts";

const TOPIC = (description: string): string =>
  `---\nname: x\ndescription: ${description}\nmetadata:\n  type: reference\n---\n\nText.\n`;

const SESSION = [
  '{"type":"session-start","v":1,"id":"20261116-100000-aaaa","at":"2026-11-16T10:00:00.000Z"',
  '"workspace":"/app","cwd":"/app","model":"a/b","version":"1","title":"How do we deploy the billing service on Fridays?"}\n',
].join(",");

async function filledMachine(): Promise<Machine> {
  return await machine({
    "app/CLAUDE.md": "@~/notes/style.md\n",
    "notes/style.md": "Outside.\n",
    ".config/caliban/settings.toml":
      '[permissions]\ndeny = ["shell.run(git push --force origin main)"]\n\n[mcp.servers.wiki]\ncommand = "wiki"\nargs = ["--serve", "the whole documentation", "--read-only"]\n',
    ".local/share/caliban/projects/SLUG/memory/deploy-checklist-for-the-billing-service.md": TOPIC(
      "Run the migrations before the feature flag and tell the others about it",
    ),
    ".local/share/caliban/projects/SLUG/sessions/20261116-100000-aaaa.jsonl": SESSION,
  });
}

const LINES = [
  "settings",
  "sessions",
  "memory",
  "memory explain",
  "memory list",
  "memory log",
  "memory stats",
  "mcp list",
  "doctor",
  "--help",
  ...COMMANDS.map(({ name }) => `${name} --help`),
  ...COMMANDS.flatMap(({ name, subcommands = [] }) =>
    subcommands.map((row) => `${name} ${row.name} --help`),
  ),
];

describe.for([60, 80, 120])("on a terminal of %i columns", (columns) => {
  it("breaks lines between words only", async () => {
    const { caliban } = (await filledMachine()).with({ isTerminal: true, columns: () => columns });
    for (const line of LINES) {
      const { stdout } = await caliban(...line.split(" "));
      // An example stays in one piece, so that it can be copied.
      const [text = ""] = stdout.split("Example:\n");
      const tooLong = text.split("\n").filter((each) => each.length > columns);
      // A word that is longer than the line cannot be broken.
      expect([line, tooLong.filter((each) => each.trim().includes(" "))]).toEqual([line, []]);
    }
  });
});
