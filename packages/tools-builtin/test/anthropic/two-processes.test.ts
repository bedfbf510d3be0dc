import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { createFsTopicStore } from "@caliban/memory/node";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";

const run = promisify(execFile);
const EDITOR = join(import.meta.dirname, "edit-many.process.ts");
const [WRITERS, EDITS] = [["one", "two"], process.env["FULL"] === "1" ? 100 : 15];

it("loses no edit when two processes edit the same file", { timeout: 60_000 }, async () => {
  const directory = join(await temporaryDirectory(), "memory");
  const editors = await Promise.all(
    WRITERS.map((writer) =>
      run(process.execPath, [
        "--conditions=caliban:source",
        EDITOR,
        directory,
        writer,
        String(EDITS),
      ]),
    ),
  );
  const replies = editors.flatMap(({ stdout }) => JSON.parse(stdout) as readonly string[]);
  // Both created the shared file, and one of them was told that it exists.
  const refused = replies.filter((text) => !/^(?:File created|The |The memory file)/.test(text));
  expect(refused).toEqual(["Error: File /memories/shared.md already exists"]);
  const store = createFsTopicStore({ directory });
  const lines = (await store.read("shared"))?.topic.body.split("\n") ?? [];
  const wanted = WRITERS.flatMap((writer) =>
    Array.from({ length: EDITS }, (_, n) => `writer ${writer}, line ${n}`),
  );
  expect(lines.filter((line) => line.startsWith("writer")).toSorted()).toEqual(wanted.toSorted());
  expect((await store.list()).topics.length).toBe(1 + WRITERS.length * EDITS);
  const log = await store.log();
  expect(log.length).toBe(1 + 2 * WRITERS.length * EDITS);
  expect(new Set(log.map(({ session }) => session))).toEqual(new Set(["s-one", "s-two"]));
});
