import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChangeEntry, JournalEntry, SavedState } from "../../src/checkpoints/journal.ts";
import { decideStep, type PlannedFile, planRewind } from "../../src/checkpoints/plan-rewind.ts";

const START: JournalEntry = { type: "start", after: { message: 0, rewinds: 0 } };
const hash = (content: string): string => content.repeat(64).slice(0, 64);

function saved(content: string | undefined): SavedState {
  if (content === undefined) return { kind: "absent" };
  return { kind: "file", sha256: hash(content), bytes: content.length, mode: 0o644 };
}

function change(
  id: number,
  [message, rewinds]: readonly [number, number],
  [path, before, after]: readonly [string, string | undefined, string],
): ChangeEntry {
  const next = { kind: "file", sha256: hash(after), bytes: after.length } as const;
  return {
    type: "change",
    id,
    at: "",
    message,
    rewinds,
    path,
    before: saved(before),
    after: next,
  };
}

const ENTRIES: readonly JournalEntry[] = [
  START,
  change(1, [1, 0], ["/w/a", "1", "2"]),
  { type: "done", id: 1, mode: 0o644 },
  change(2, [5, 0], ["/w/a", "2", "3"]),
  { type: "done", id: 2, mode: 0o644 },
  change(3, [5, 0], ["/w/b", undefined, "1"]),
];

describe("the plan of a rewind", () => {
  it.each([
    { to: "m1", targets: { "/w/a": "1", "/w/b": undefined } },
    { to: "m3", targets: { "/w/a": "2", "/w/b": undefined } },
    { to: "m5", targets: { "/w/a": "2", "/w/b": undefined } },
    { to: "m6", targets: {} },
    { to: "r1", targets: {} },
  ])("names what each file was before $to", ({ to, targets }) => {
    const { files, isComplete } = planRewind(ENTRIES, to);
    expect(Object.fromEntries(files.map(({ path, target }) => [path, target]))).toEqual(
      Object.fromEntries(Object.entries(targets).map(([path, text]) => [path, saved(text)])),
    );
    expect(isComplete).toBe(true);
  });

  it("a plan never claims to know what was changed before the checkpoints began", () => {
    const entries: readonly JournalEntry[] = [
      { type: "start", after: { message: 4, rewinds: 0 } },
      ...ENTRIES.slice(1),
    ];
    expect(planRewind(entries, "m3").isComplete).toBe(false);
    expect(planRewind(entries, "m5").isComplete).toBe(true);
    expect(planRewind([], "m1").isComplete).toBe(false);
  });

  it("restores what files were at any point, after any sequence of changes and rewinds", () => {
    const path = fc.constantFrom("/w/a", "/w/b");
    const content = fc.constantFrom("1", "2", "3");
    const action = fc.oneof(
      { weight: 2, arbitrary: fc.constant({ kind: "message" as const }) },
      { weight: 5, arbitrary: fc.record({ kind: fc.constant("write" as const), path, content }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant("rewind" as const), index: fc.nat(20) }),
      },
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 14 }), (actions) => {
        const world = createWorld();
        for (const each of actions) {
          if (each.kind === "message") world.message();
          if (each.kind === "write") world.write(each.path, each.content);
          if (each.kind === "rewind") world.rewind(each.index);
        }
        for (const [to, expected] of world.moments) {
          const files = new Map(world.files());
          for (const { path: file, target } of planRewind(world.entries(), to).files) {
            if (target.kind === "absent") files.delete(file);
            if (target.kind === "file") files.set(file, target.sha256);
          }
          expect(files).toEqual(expected);
        }
      }),
    );
  });
});

/** Files with a journal, as the program writes it. */
function createWorld(): {
  readonly moments: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly files: () => ReadonlyMap<string, string>;
  readonly entries: () => readonly JournalEntry[];
  readonly message: () => void;
  readonly write: (path: string, content: string) => void;
  readonly rewind: (index: number) => void;
} {
  const moments = new Map<string, ReadonlyMap<string, string>>();
  const files = new Map<string, string>();
  const entries: JournalEntry[] = [START];
  let [messages, rewinds] = [0, 0];
  const record = (path: string, sha256: string | undefined): void => {
    const old = files.get(path);
    const before: SavedState =
      old === undefined ? { kind: "absent" } : { kind: "file", sha256: old, bytes: 1, mode: 0o644 };
    const after =
      sha256 === undefined
        ? ({ kind: "absent" } as const)
        : ({ kind: "file", sha256, bytes: 1 } as const);
    const id = entries.length;
    entries.push({ type: "change", id, at: "", message: messages, rewinds, path, before, after });
    if (sha256 === undefined) files.delete(path);
    else files.set(path, sha256);
  };
  const message = (): void => {
    messages += 2;
    moments.set(`m${messages}`, new Map(files));
  };
  message();
  return {
    moments,
    files: () => files,
    entries: () => entries,
    message,
    write: (path, content) => record(path, hash(content)),
    rewind: (index) => {
      const ids = [...moments.keys()];
      const to = ids[index % ids.length] ?? "";
      const { files: planned } = planRewind(entries, to);
      rewinds += 1;
      moments.set(`r${rewinds}`, new Map(files));
      for (const { path, target } of planned)
        record(path, target.kind === "file" ? target.sha256 : undefined);
    },
  };
}

describe("the step for a file", () => {
  const planned: PlannedFile = {
    path: "/w/a",
    target: { kind: "file", sha256: hash("1"), bytes: 1, mode: 0o644 },
    known: [{ kind: "file", sha256: hash("2"), bytes: 1, mode: 0o644 }],
  };
  const file = (content: string, mode = 0o644) =>
    ({ kind: "file", sha256: hash(content), bytes: 1, mode }) as const;
  const inside = { isInWorkspace: true };

  it.each([
    { title: "what a tool wrote", current: file("2"), step: "restore" },
    { title: "what it was then", current: file("1"), step: "none" },
    { title: "what the user wrote", current: file("3"), step: "ask" },
    { title: "a file that the user made read-only", current: file("2", 0o444), step: "ask" },
    { title: "a file that the user deleted", current: { kind: "absent" } as const, step: "ask" },
    {
      title: "a directory",
      current: { kind: "other", reason: "a directory now" } as const,
      step: "blocked",
    },
  ])("is $step for $title", ({ current, step }) => {
    expect(decideStep(planned, current, inside).step).toBe(step);
  });

  it("blocks files outside of the workspace, and those that were not saved", () => {
    expect(decideStep(planned, file("2"), { isInWorkspace: false }).step).toBe("blocked");
    const target = { kind: "unsaved", reason: "too-large" } as const;
    expect(decideStep({ ...planned, target }, file("2"), inside)).toMatchObject({
      step: "blocked",
      reason: "it was too large to be saved",
    });
  });

  it("accepts any state in which a crash can leave a change that never ended", () => {
    const [known] = planRewind(ENTRIES.slice(0, 4), "m5").files;
    for (const current of [file("2"), file("3"), { kind: "absent" } as const])
      expect(known && decideStep(known, current, inside).step).not.toBe("ask");
    expect(known && decideStep(known, file("1"), inside).step).toBe("ask");
    const kept: JournalEntry = {
      ...change(4, [5, 0], ["/w/a", "3", "4"]),
      before: { kind: "kept" },
    };
    const again = planRewind([...ENTRIES, kept], "m5").files[0];
    for (const content of ["3", "4"])
      expect(again && decideStep(again, file(content), inside).step).toBe("restore");
  });
});
