import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { readUse, recordUse, type UseFileInput } from "../../../src/node/use/use-file.ts";

const DEPLOY = "memory://topics/deploy";
const shown = { address: DEPLOY, kind: "shown", atMs: 5 } as const;

async function project(): Promise<{ readonly input: UseFileInput; readonly path: string }> {
  const home = await temporaryDirectory();
  const input = { environment: { env: { HOME: home }, platform: "linux" }, project: "app-1" };
  return { input, path: join(home, ".local/state/caliban/use/app-1.json") };
}

describe("the file with the uses of a project", () => {
  it("the use file is private and counts over several writes", async () => {
    const { input, path } = await project();
    expect(readUse(input)).toEqual({ counts: undefined });
    expect(await recordUse(input, [])).toBeUndefined();
    expect(readUse(input)).toEqual({ counts: undefined });
    await recordUse(input, [shown]);
    expect(await recordUse(input, [{ ...shown, kind: "followed", atMs: 7 }])).toBeUndefined();
    const use = { shown: 1, followed: 1, ignored: 0, read: 0, found: 0, lastMs: 7 };
    expect(readUse(input).counts).toEqual({ sinceMs: 5, memories: { [DEPLOY]: use } });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
  });

  it("loses nothing when several writers add uses at the same time", async () => {
    const { input } = await project();
    await Promise.all(Array.from({ length: 8 }, () => recordUse(input, [shown])));
    expect(readUse(input).counts?.memories[DEPLOY]?.shown).toBe(8);
  });

  it("loses nothing when another process adds uses at the same time", async () => {
    const { input } = await project();
    const script = `
      import { recordUse } from ${JSON.stringify(new URL("../../../src/node/use/use-file.ts", import.meta.url).href)};
      for (let at = 0; at < 5; at++) await recordUse(${JSON.stringify(input)}, [${JSON.stringify(shown)}]);
    `;
    const other = spawn(process.execPath, [
      "--conditions=source",
      "--input-type=module",
      "-e",
      script,
    ]);
    for (let at = 0; at < 5; at++) await recordUse(input, [shown]);
    const [code] = await once(other, "exit");
    expect(code).toBe(0);
    expect(readUse(input).counts?.memories[DEPLOY]?.shown).toBe(10);
  });

  it("starts again if it is damaged, and says so", async () => {
    const { input, path } = await project();
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, "{");
    expect(readUse(input).problem).toContain("is damaged");
    expect(await recordUse(input, [shown])).toContain("is damaged");
    expect(await recordUse(input, [shown])).toBeUndefined();
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ version: 1, sinceMs: 5 });
  });

  it("the use file is left alone if something else has its name", async () => {
    const { input, path } = await project();
    await mkdir(path, { recursive: true });
    expect(await recordUse(input, [shown])).toContain("are not counted");
    expect(readUse(input).problem).toContain("cannot read");
  });

  it("the use file does not exist without a home directory", async () => {
    const input = { environment: { env: {}, home: undefined, platform: "linux" }, project: "app" };
    expect(await recordUse(input, [shown])).toBeUndefined();
  });
});
