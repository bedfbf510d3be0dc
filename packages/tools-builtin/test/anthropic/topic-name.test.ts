import { createMapTopicStore } from "@caliban/memory";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foreignNameOf, pathOf, topicNameOf } from "../../src/anthropic/topic-name.ts";

describe("topicNameOf", () => {
  it.for([
    ["deploy.md", "deploy"],
    ["v1.2 notes.md", "v1.2 notes"],
    ["notes.txt", "memories__notes.txt"],
    ["README", "memories__README__"],
    ["projects/app/notes.md", "memories__projects__app__notes"],
    ["projects/app/data.json", "memories__projects__app__data.json"],
    ["a/notes.txt.md", "memories__a__notes_x2E_txt"],
    ["a/v1.2.md", "memories__a__v1.2"],
    ["a_b/c__d.md", "memories__a_b__c_x5F__d"],
    ["project.md", "memories__project"],
    ["con.md", "memories__con"],
    [".env", "memories__.env"],
    ["x.MD", "memories__x.MD__"],
    ["50% (off).md", "memories__50_x25_ _x28_off_x29_"],
  ] as const)("names the topic of %s %s", ([path, name]) => {
    expect(topicNameOf(path)).toBe(name);
    expect(pathOf(name)).toBe(path);
  });

  const segment = fc
    .string({
      unit: fc.constantFrom(
        "a",
        "B",
        "_",
        "__",
        ".",
        ".md",
        ".txt",
        "x2F",
        "_x2F_",
        " ",
        "-",
        "é",
        "😀",
        "%",
      ),
      minLength: 1,
      maxLength: 4,
    })
    .filter((text) => !/^\.{1,2}$/.test(text));
  const anyPath = fc
    .array(segment, { minLength: 1, maxLength: 3 })
    .map((segments) => segments.join("/"));

  it("gives every path a name of its own, which the store accepts", async () => {
    const names = new Map<string, string>();
    const store = createMapTopicStore();
    await fc.assert(
      fc.asyncProperty(anyPath, async (path) => {
        const name = topicNameOf(path);
        expect(pathOf(name)).toBe(path);
        // Names that differ only in case are one topic, as are the paths.
        const key = name.toLowerCase();
        expect(names.get(key) ?? path.toLowerCase()).toBe(path.toLowerCase());
        names.set(key, path.toLowerCase());
        const text = "---\ndescription: d\ntype: user\n---\nText.\n";
        const result = await store.edit({ name, text, author: { who: "agent" } });
        expect(result.kind).toMatch(/^(?:edited|conflict)$/);
      }),
      { numRuns: 200 },
    );
  });

  it("finds every topic of another tool under its own name", () => {
    const anyName = fc.oneof(
      segment.filter((name) => !name.startsWith(".")),
      segment.map((name) => `memories__${name}`),
    );
    fc.assert(
      fc.property(anyName, (name) => {
        const path = pathOf(name);
        expect([topicNameOf(path), foreignNameOf(path)]).toContain(name);
      }),
      { numRuns: 2_000 },
    );
  });
});
