import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseSince } from "../../src/search/parse-since.ts";

const NOW = "2026-11-16T12:00:00.000Z";
const NOW_MS = Date.parse(NOW);

function parsed(text: string): string | undefined {
  const sinceMs = parseSince(text, NOW_MS);
  return sinceMs === undefined ? undefined : new Date(sinceMs).toISOString();
}

it.for([
  ["2026-10-01", "2026-10-01T00:00:00.000Z"],
  [" 2026-11-16 ", "2026-11-16T00:00:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ["2026-10-01T09:30", "2026-10-01T09:30:00.000Z"],
  ["2026-10-01 09:30:15", "2026-10-01T09:30:15.000Z"],
  ["2026-10-01T09:30:15.5Z", "2026-10-01T09:30:15.500Z"],
  ["2026-10-01T09:30+02:00", "2026-10-01T07:30:00.000Z"],
  ["2026-10-01T09:30:00-0130", "2026-10-01T11:00:00.000Z"],
  [NOW, NOW],
  ["12h", "2026-11-16T00:00:00.000Z"],
  ["7d", "2026-11-09T12:00:00.000Z"],
  ["7 days ago", "2026-11-09T12:00:00.000Z"],
  ["2W", "2026-11-02T12:00:00.000Z"],
  ["1m", "2026-10-17T12:00:00.000Z"],
  ["3 months", "2026-08-18T12:00:00.000Z"],
  ["1y", "2025-11-16T12:00:00.000Z"],
] as const)("parses %j as the time %s", ([text, expected]) => {
  expect(parsed(text)).toBe(expected);
});

it.for([
  "",
  "soon",
  "d",
  "0d",
  "-7d",
  "1.5d",
  "99999d",
  "7x",
  "7 d ago ago",
  "2026",
  "2026-10",
  "2026-1-1",
  "2026-02-30",
  "2026-02-29",
  "2026-13-01",
  "2026-10-01T25:00",
  "2026-10-01T09:30+99:00",
  "2026-11-16T12:00:01Z",
  "2026-11-17",
  "2099-01-01",
  "99999-01-01",
  "+099999-01-01",
  "1761000000000",
  "2026-10-01; rm",
  "\0",
])("rejects %j as a start time", (text) => {
  expect(parsed(text)).toBeUndefined();
});

it("never returns a future time, whatever the text is", () => {
  const piece = fc.constantFrom(
    "2026",
    "-",
    "10",
    "01",
    "7",
    "d",
    "w",
    " ",
    "T",
    ":",
    "Z",
    "9",
    "+",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const sinceMs = parseSince(pieces.join(""), NOW_MS) ?? 0;
      expect(Number.isFinite(sinceMs)).toBe(true);
      expect(sinceMs).toBeLessThanOrEqual(NOW_MS);
    }),
  );
});

it("parses days and times in UTC in any time zone", () => {
  const module = new URL("../../src/search/parse-since.ts", import.meta.url).href;
  const times = ["2026-10-01", "2026-10-01T09:30"].map(
    (text) => `parseSince("${text}", ${NOW_MS})`,
  );
  const program = `import { parseSince } from "${module}"; console.log(${times.join(", ")});`;
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    env: { TZ: "America/New_York" },
    encoding: "utf8",
  });
  const expected = ["2026-10-01T00:00Z", "2026-10-01T09:30Z"].map((text) => Date.parse(text));
  expect(said.trim()).toBe(expected.join(" "));
});
