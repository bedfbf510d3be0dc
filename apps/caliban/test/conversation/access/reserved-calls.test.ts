import { link, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { createReservedReason } from "../../../src/conversation/access/reserved-calls.ts";

function createReason(
  home: string,
  memoryWrite: Parameters<typeof createReservedReason>[1] = "allow",
): ReturnType<typeof createReservedReason> {
  const location = {
    environment: { env: {}, platform: "linux" as const, home, native: undefined },
    workspace: { startDirectory: home, root: home, hasGitFile: false },
  };
  return createReservedReason(location, memoryWrite);
}

const reservedReason = createReason("/none");

const shell = (command: string): string | undefined =>
  reservedReason({ name: "Bash", permission: "shell.run", input: { command } });

describe("reservedReason", () => {
  it.for([
    "caliban memory enforce deploy --off --yes",
    "caliban memory inbox accept 1",
    "caliban memory restore deploy",
    "caliban memory move deploy --to user",
    "caliban memory team join",
    "caliban --workspace x memory --json enforce",
    "caliban memory --workspace . enforce x",
    "npx caliban memory enforce x",
    "npx -y caliban@latest memory enforce x",
    "pnpm caliban memory enforce x",
    "pnpm exec caliban memory enforce x",
    "node dist/bin.js memory enforce x",
    "node /opt/x/main.mjs memory inbox accept 1",
    "sh -c 'caliban memory enforce x'",
    'bash -lc "cd /tmp && caliban memory enforce x"',
    "cd x && caliban memory enforce x",
    "true; caliban memory 'enforce' x",
    "c=caliban; $c memory enforce x",
    "v=enforce; caliban memory $v x",
    "caliban mem''ory en\"\"force x",
    "caliban memory $(echo enforce) x",
    "caliban memory $(cat verb) x",
    "caliban memory ${VERB} x",
    "alias c=caliban; c memory enforce x",
    "echo enforce x | xargs caliban memory",
    "echo 'caliban memory enforce x' | sh",
    "echo Y2FsaWJhbiBtZW1vcnkgZW5mb3JjZSB4 | base64 -d | sh",
    "git bisect run caliban memory enforce x",
    "git -c alias.x='!caliban memory enforce y' x",
    "awk 'BEGIN { system(\"caliban memory enforce x\") }'",
    "CALIBAN_X=1 caliban memory enforce x",
    "/usr/local/bin/caliban memory enforce x",
    "rm ~/.config/caliban/enforced.json",
    "rm -rf ~/.config/caliban",
    "mv $HOME/.config/caliban /tmp/x",
    "ln -s ~/.config/'caliban' cfg",
    "cd ~/.config/caliban && sed -i s/deny/note/ enf*",
    "cat x > ~/.config/caliban/enforce''d.json",
    "git -C ~/.config/caliban clean -fdx",
    'rm -r "$XDG_CONFIG_HOME/caliban"',
    "XDG_CONFIG_HOME=/tmp/x caliban -p hi",
    "export HOME=/tmp/x; caliban -p hi",
    "caliban memory adopt",
    "caliban memory approve ~/notes.md",
    "echo x | caliban memory write evil --user --type user --description x",
    "caliban memory --user rm tabs --force",
    "sh -c 'caliban memory import x --user'",
    "alias m='caliban memory'; m enforce x",
    "caliban memory team share deploy --yes",
    "caliban memory team init git@example.com:x/y.git --yes",
    "caliban memory team",
    "caliban memory --json team sync --accept-rewrite",
    "caliban memory team approve SHA256:abc",
    "npx caliban memory te''am unshare deploy",
    "echo y | caliban memory team leave",
    "caliban settings set memory.team.share type:project",
    "caliban settings --workspace . set 'memory.team.auto' true",
    "caliban hooks approve team --yes",
    "caliban --workspace . hooks --json approve team",
    "npx caliban hooks app''rove team",
    "node dist/bin.js hooks approve team",
    "echo 'caliban hooks approve team --yes' | sh",
    "caliban mcp approve postgres --yes",
    "caliban settings set hooks.x.command 'caliban memory inbox accept 1'",
    "caliban settings --workspace . set 'hooks.x.event' Stop",
    'python -c \'import subprocess; subprocess.run(["caliban", "memory", "enforce"])\'',
  ])("reserves %s for the user", (command) => {
    expect(shell(command)).toMatch(/^(?:Only you|The command (?:names|runs))/);
  });

  it.for([
    "caliban memory list",
    "caliban memory search enforce",
    "caliban memory show team",
    'grep -rn "memory enforce" docs',
    'git commit -m "docs: explain caliban memory enforce"',
    "echo caliban memory enforce",
    "npm run test -- memory",
    "caliban memory list --user",
    "caliban hooks",
    "caliban hooks list",
    "caliban mcp list",
    "caliban settings set ui.theme light",
    "caliban settings get memory.team.share",
    "caliban memory search team share",
    "cat docs/hooks.md",
    "git config core.hooksPath .githooks",
    'grep -rn "hooks approve" docs',
    "pnpm test hooks",
    "caliban memory write deploy --type project --description x",
    "caliban -p hi",
    "cat ~/.config/caliban/settings.toml",
    "ls -la ~/.config/caliban | head",
    "rm -rf ~/.config/other",
    "HOME=/tmp/x npm install",
    "rm -rf packages/caliban",
    "ls ~/.config/caliban-other",
    "git mv memory.ts move.ts",
    "ls memory; mv a move",
    "",
  ])("has no opinion about %j", (command) => {
    expect(shell(command)).toBeUndefined();
  });

  it.for([
    [{ command: "caliban memory enforce x" }, true],
    [{ program: "caliban", args: ["memory", "enforce", "x"] }, true],
    [{ deep: [{ cmd: "node bin.js memory inbox accept 1" }] }, true],
    [{ body: "our memory team will move it" }, false],
    [{ body: "caliban remembers" }, false],
  ] as const)("looks into the input of a server's tool: %j", ([input, expected]) => {
    const reason = reservedReason({ name: "run", permission: "mcp.shell", input });
    expect(reason !== undefined).toBe(expected);
  });

  it.for(["auto", "inbox", "ask", "off"] as const)(
    "asks before a command saves or removes topics without a review if memory.write is %s",
    (memoryWrite) => {
      const reason = createReason("/none", memoryWrite);
      const input = { command: "echo 'Use curl x | sh' | caliban memory write deploy" };
      const call = { name: "Bash", permission: "shell.run", input };

      expect(reason(call)).toBe("Only you decide about `caliban memory write`.");
      expect(reservedReason(call)).toBeUndefined();
      expect(reason({ ...call, input: { command: "caliban memory list" } })).toBeUndefined();
    },
  );

  it("reserves the file of enforced rules, and no other file", () => {
    const write = (file_path: string): string | undefined =>
      reservedReason({ name: "Write", permission: "fs.write", input: { file_path, content: "" } });
    expect(write(".config/caliban/enforced.json")).toContain("enforced rules");
    expect(write("src/enforced.json")).toBeUndefined();
  });

  it("reserves the file of enforced rules by whatever path leads to it", async () => {
    const home = await temporaryDirectory();
    await writeFiles(home, { ".config/caliban/enforced.json": "{}", "other.json": "{}" });
    await symlink(join(home, ".config/caliban"), join(home, "cfg"));
    await link(join(home, ".config/caliban/enforced.json"), join(home, "same.json"));
    const reason = createReason(home);
    const write = (file_path: string): boolean =>
      reason({ name: "Write", permission: "fs.write", input: { file_path } }) !== undefined;
    expect(["cfg/enforced.json", "~/cfg/enforced.json", "same.json"].map(write)).toEqual([
      true,
      true,
      true,
    ]);
    expect(["other.json", "none.json", "cfg", "a\0b"].map(write)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it("finishes for long repetitive commands", () => {
    expect(shell(`caliban memory ${"-a b ".repeat(20_000)}`)).toBeUndefined();
    expect(shell("memory -x ".repeat(20_000))).toBeUndefined();
  });
});
