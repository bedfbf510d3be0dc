import { describe, expect, it } from "vitest";
import { missingChangesets, namesInChangeset } from "../scripts/changesets/missing-changesets.ts";
import { releasedPackages } from "../scripts/changesets/released-packages.ts";

const packages = [
  { name: "@caliban/common", directory: "packages/common", isPrivate: true, inlines: [] },
  {
    name: "@caliban/memory",
    directory: "packages/memory",
    isPrivate: false,
    inlines: ["@caliban/common"],
  },
  {
    name: "caliban",
    directory: "apps/caliban",
    isPrivate: false,
    inlines: ["@caliban/common", "@caliban/memory"],
  },
];
const missing = (changedFiles: readonly string[], ...named: readonly string[]): readonly string[] =>
  missingChangesets({ packages, changedFiles, named: new Set(named) }).map(({ name }) => name);

describe("the changeset check", () => {
  it.for([
    [["apps/caliban/src/run.ts"], [], ["caliban"]],
    [["apps/caliban/src/run.ts"], ["caliban"], []],
    [["packages/memory/src/a.ts"], ["@caliban/memory"], ["caliban"]],
    [["packages/memory/src/a.ts"], ["@caliban/memory", "caliban"], []],
    [["packages/common/src/a.ts"], [], ["@caliban/memory", "caliban"]],
    [["packages/memory/test/a.ts", "packages/memory/README.md", "docs/x.md"], [], []],
    [["packages/memory-other/src/a.ts"], [], []],
  ] as const)(
    "finds that changes in %j with changesets for %j lack changesets for %j",
    ([files, named, expected]) => {
      expect(missing(files, ...named)).toEqual(expected);
    },
  );

  it("lists the changed sources of a package without a changeset", () => {
    const changedFiles = ["packages/common/src/a.ts", "apps/caliban/src/b.ts"];
    expect(
      missingChangesets({ packages, changedFiles, named: new Set(["@caliban/memory"]) }),
    ).toEqual([{ name: "caliban", files: ["apps/caliban/src/b.ts", "packages/common/src/a.ts"] }]);
  });

  it.for([
    [
      '---\n"caliban": minor\n"@caliban/memory": patch\n---\n\nText\n',
      ["caliban", "@caliban/memory"],
    ],
    ["---\r\n'caliban': major\r\n---\r\n", ["caliban"]],
    ["---\n---\n\nAn empty one.\n", []],
    ["no front matter: minor", []],
  ] as const)("reads the package names of the changeset %j", ([text, names]) => {
    expect(namesInChangeset(text)).toEqual(names);
  });

  it("knows which packages of this workspace are inlined into which", () => {
    const inlinedInto = Object.fromEntries(
      releasedPackages().map(({ name, inlines }) => [name, inlines]),
    );
    expect(inlinedInto["@caliban/memory"]).toEqual(["@caliban/common"]);
    expect(inlinedInto["caliban"]).toContain("@caliban/memory");
  });
});
