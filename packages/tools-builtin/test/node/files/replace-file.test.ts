import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import {
  type DiskCall,
  interceptedDisk,
} from "../../../../memory/test/node/topics/intercepted-disk.ts";
import { fingerprintText } from "../../../src/node/files/file-fingerprint.ts";
import { replaceFile } from "../../../src/node/files/replace-file.ts";
import { workspaceTools } from "../../support/workspace-tools.ts";

const [OLD, NEW, THEIRS] = ["old\n", "new\n", "theirs\n"];
type Before = (call: DiskCall) => void;

/** Replaces the file `a` of a directory, or creates it, and calls back before each system call. */
async function replaceA(directory: string, before: Before): Promise<string> {
  const path = join(directory, "a");
  const stats = statSync(path, { throwIfNoEntry: false });
  const previous = stats && { stats, fingerprint: fingerprintText(OLD, stats.mtimeMs) };
  const resolved = { path, requested: path, display: "a" };
  return await replaceFile({ resolved, text: NEW, previous }, interceptedDisk({ before })).then(
    () => "replaced",
    (error: unknown) => (error as { readonly code: string }).code,
  );
}

async function withA(text: string | undefined): Promise<string> {
  const directory = await temporaryDirectory();
  if (text !== undefined) writeFileSync(join(directory, "a"), text);
  return directory;
}

const textsIn = (directory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "utf8")]),
  );

/** How another program may save the file. */
const SAVES: Readonly<Record<string, (path: string) => void>> = {
  "in place": (path) => writeFileSync(path, THEIRS),
  "by a rename": (path) => {
    writeFileSync(`${path}.x`, THEIRS);
    renameSync(`${path}.x`, path);
  },
};

describe("replaceFile", () => {
  it("syncs the new file to disk before it replaces the old one, and the directory afterwards", async () => {
    const directory = await withA(OLD);
    const calls: string[] = [];
    expect(await replaceA(directory, ({ name }) => void calls.push(name))).toBe("replaced");
    expect(calls).toEqual([
      "write",
      "sync",
      "close",
      "rename",
      "link",
      "unlink",
      "syncDirectory",
      "unlink",
      "unlink",
    ]);
    expect(textsIn(directory)).toEqual({ a: NEW });
  });

  it.for(Object.keys(SAVES).flatMap((how) => [OLD, undefined].map((text) => [how, text] as const)))(
    "overwrites no text that another program saves %s at any moment, over %j",
    async ([how, text]) => {
      const results = new Set<string>();
      for (let step = 0; ; step++) {
        const directory = await withA(text);
        let isReached = false;
        const result = await replaceA(directory, (call) => {
          if (call.step !== step) return;
          isReached = true;
          SAVES[how]?.(join(directory, "a"));
        });
        if (!isReached) break;
        results.add(result);
        expect({ step, result, texts: textsIn(directory) }).toEqual({
          step,
          result,
          texts: { a: THEIRS },
        });
      }
      expect(results).toEqual(new Set(["CHANGED", "replaced"]));
    },
  );

  it("overwrites no text that is written through a descriptor opened before", async () => {
    for (let step = 0; ; step++) {
      const directory = await withA(OLD);
      const descriptor = openSync(join(directory, "a"), "a");
      let call: DiskCall | undefined;
      const result = await replaceA(directory, (each) => {
        if (each.step !== step) return;
        call = each;
        writeSync(descriptor, THEIRS);
      });
      closeSync(descriptor);
      // The last look at the old file is before it loses its last name.
      if (call?.name === "unlink" && call.files.endsWith(".old")) break;
      expect({ step, result, texts: textsIn(directory) }).toEqual({
        step,
        result: "CHANGED",
        texts: { a: OLD + THEIRS },
      });
    }
  });

  it("replaceFile does not create a file again that another program removes", async () => {
    const directory = await withA(OLD);
    const result = await replaceA(directory, ({ name }) => {
      if (name === "sync") renameSync(join(directory, "a"), join(directory, "moved"));
    });
    expect(result).toBe("CHANGED");
    expect(textsIn(directory)).toEqual({ moved: OLD });
  });

  it.for(["EPERM", "ENOSPC"])("works if no second name can be created (%s)", async (code) => {
    const refuse: Before = ({ name }) => {
      if (name === "link") throw Object.assign(new Error(code), { code });
    };
    const directory = await withA(OLD);
    expect(await replaceA(directory, refuse)).toBe("replaced");
    expect(textsIn(directory)).toEqual({ a: NEW });
    const changed = await withA(OLD);
    const result = await replaceA(changed, (call) => {
      if (call.name === "rename") writeFileSync(join(changed, "a"), THEIRS);
      refuse(call);
    });
    expect(result).toBe("CHANGED");
    expect(textsIn(changed)).toEqual({ a: THEIRS });
  });

  it("leaves the old text, or the new one, if any call fails", async () => {
    for (let step = 0; ; step++) {
      const directory = await withA(OLD);
      let isReached = false;
      const result = await replaceA(directory, (call) => {
        if (call.step !== step) return;
        isReached = true;
        throw Object.assign(new Error("EIO"), { code: "EIO" });
      });
      if (!isReached) break;
      const { a } = textsIn(directory);
      expect({ step, a }).toEqual({ step, a: result === "replaced" ? NEW : OLD });
    }
  });

  it("keeps the old text in a file that Read names if the process is killed at any call", async () => {
    let hints = 0;
    for (let step = 0; ; step++) {
      const { root, call } = await workspaceTools({ "app/a": OLD });
      let isReached = false;
      await replaceA(root, (each) => {
        if (each.step < step) return;
        isReached = true;
        throw new Error("the process has ended");
      });
      if (!isReached) break;
      const texts = Object.entries(textsIn(root));
      const [kept] = texts.find(([name, text]) => text === OLD && name !== "a") ?? [];
      const isComplete = existsSync(join(root, "a"));
      const { text } = await call("Read", { file_path: "a" });
      expect({ step, isNamed: isComplete || text.includes(kept ?? "a") }).toEqual({
        step,
        isNamed: true,
      });
      if (!isComplete) hints += 1;
    }
    expect(hints).toBeGreaterThan(0);
  });

  it("creates no directory outside when a parent was replaced by a link", async () => {
    const home = await temporaryDirectory();
    mkdirSync(join(home, "outside"));
    mkdirSync(join(home, "app"));
    symlinkSync(join(home, "outside"), join(home, "app/dir"));
    const path = join(home, "app/dir/new/deep/a");
    const resolved = { path, requested: path, display: "dir/new/deep/a" };
    const writing = replaceFile({ resolved, text: NEW, previous: undefined });
    await expect(writing).rejects.toMatchObject({ code: "CHANGED" });
    expect(readdirSync(join(home, "outside"))).toEqual([]);
  });
});
