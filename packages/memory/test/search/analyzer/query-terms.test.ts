import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeQuery, searchTerms } from "../../../src/search/analyzer/query-terms.ts";

import { createTermCounter } from "../../../src/search/engine/segment/term-counter.ts";
import { createSearchIndex } from "../../../src/search/engine/search-index.ts";

describe("searchTerms", () => {
  it.for<readonly [text: string, terms: readonly string[]]>([
    ["", []],
    ["running runs", ["run"]],
    ["parseTopicHeader", ["pars", "topic", "header", "parsetopichead"]],
    ["snake_case", ["snake", "case", "snakecas"]],
    ["SNAKE_CASE", ["snake", "case", "snakecas"]],
    ["kebab-case", ["kebab", "case", "kebabcas"]],
    ["Straße STRASSE Ærø Łódź", ["strass", "aero", "lodz"]],
    ["HTTPServer2", ["http", "server", "httpserver2"]],
    ["XMLHttpRequest", ["xml", "http", "request", "xmlhttprequest"]],
    ["i18n", ["18", "n", "i18n"]],
    ["src/node/disk.ts", ["src", "node", "disk", "ts", "srcnodediskt"]],
    ["dir\\file", ["dir", "file", "dirfil"]],
    ["node@24.1", ["node", "24", "node241"]],
    ["1.22.3", ["22", "1.22.3"]],
    ["2026-11-16", ["2026", "11", "16", "2026.11.16"]],
    ["-foo- --bar foo..bar _x_", ["foo", "bar", "x"]],
    ["C++ c# .net", ["c", "net"]],
    ["the user's own, don't", ["user"]],
    ["don’t l’heure", ["l", "heur"]],
    ["Café naïve Ångström", ["cafe", "naiv", "angstrom"]],
    ["Cafe\u0301", ["cafe"]],
    ["ｆｕｌｌ　ｗｉｄｔｈ", ["full", "width"]],
    ["ﬁle ① 𝐛𝐨𝐥𝐝", ["file", "1", "bold"]],
    ["İstanbul Москва ΑΒΓ", ["istanbul", "москва", "αβγ"]],
    ["हिन्दी", ["हिन्दी"]],
    ["記憶", ["記憶"]],
    ["憶", ["憶"]],
    ["日本語の検索", ["日本", "本語", "語の", "の検", "検索"]],
    ["ไทย", ["ไท", "ทย"]],
    ["한국어 검색", ["한국", "국어", "검색"]],
    ["useEffectフック", ["us", "effect", "useeffect", "フッ", "ック"]],
    ["𠮷野家", ["𠮷野", "野家"]],
    ["𠮷", ["𠮷"]],
    ["x\ud800y \udc00 z", ["x", "y", "z"]],
    ["kite\0pond", ["kite", "pond"]],
    ["__proto__ constructor", ["proto", "constructor"]],
    ["x".repeat(257), []],
    ["kite " + "x".repeat(1_000_000), ["kite"]],
    [".*+?^${}()|[]\\ '; DROP TABLE kite; --", ["drop", "tabl", "kite"]],
  ])("analyzes %j", ([text, terms]) => {
    expect(searchTerms(text)).toEqual(terms);
  });

  it.for([
    ["of Latin letters", "\u0301\u0323"],
    ["of other scripts", "\u0591\u05B0"],
    ["that are made of others", "\uFF9E\u0591"],
    ["of several at once", "\u0F77\u0344\u0F73"],
  ] as const)("analyzes a letter with thousands of marks %s", ([, marks]) => {
    const text = `kite a${marks.repeat((256 * 1024) / marks.length)}`;
    // Sorting the marks one by one would exceed the time limit of a test.
    expect(searchTerms(text)).toContain("kite");
  });

  it("returns exactly the terms that an index counts, whatever the text is", () => {
    const unit = fc.constantFrom(...Array.from("aB2_-./'é\u0301 憶記𠮷\ud842\udfb7\0한ไｆ"));
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 10 }), (units) => {
        const text = units.join("");
        const counter = createTermCounter();
        counter.addText(text, { weight: 1, isShort: false });
        const counted = new Map<string, number>();
        counter.endDocument((term, count) => counted.set(counter.terms[term] ?? "", count));
        const { terms, hasOnlyStopWords } = analyzeQuery(text);
        // A character that is alone in one place may be part of a pair elsewhere.
        const wrong = [...terms].filter(([term, times]) =>
          Array.from(term).length === 1
            ? (counted.get(term) ?? 0) < times
            : counted.get(term) !== times,
        );
        expect(hasOnlyStopWords ? [] : wrong).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a search for an identifier", () => {
  const capital = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1);
  const ways: readonly ((parts: readonly string[]) => string)[] = [
    (parts) => parts.join(""),
    (parts) => parts.join("_"),
    (parts) => parts.join("-"),
    (parts) => parts.join("/"),
    (parts) => parts.join("."),
    (parts) => parts.join("_").toUpperCase(),
    (parts) => parts.map(capital).join(""),
    (parts) => parts.map((part, at) => (at === 0 ? part : capital(part))).join(""),
  ];

  it("finds an identifier in any spelling, before a text with only its parts", () => {
    const part = fc.constantFrom("user", "id", "http", "x", "2", "tests");
    const parts = fc
      .array(part, { minLength: 2, maxLength: 4 })
      .filter((all) => all.some((each) => each !== "2"));
    const way = fc.constantFrom(...ways);
    fc.assert(
      fc.property(parts, way, way, (all, written, asked) => {
        const index = createSearchIndex([{ id: "it", body: `kite ${written(all)} pond` }]);
        expect(index.search(asked(all)).topics.map(({ id }) => id)).toEqual(["it"]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("ranks a text with the identifier before one with its parts scattered", () => {
    const index = createSearchIndex([
      { id: "apart", body: "the user has an id of another user" },
      { id: "together", body: "the userId of someone in a table" },
    ]);
    expect(index.search("user_id").topics[0]?.id).toBe("together");
  });
});

describe("analyzeQuery", () => {
  it("counts repeated terms of a query", () => {
    expect(analyzeQuery("kite pond kites").terms).toEqual(
      new Map([
        ["kite", 2],
        ["pond", 1],
      ]),
    );
  });

  it.for(["", "  ", "?!", "\0", "\ud800", "x".repeat(1_000_000)])(
    "finds no terms in a query without words (%#)",
    (query) => {
      expect(analyzeQuery(query).terms.size).toBe(0);
    },
  );

  it("keeps the stop words of a query without other words", () => {
    const { terms, hasOnlyStopWords } = analyzeQuery("What is THE?");
    expect([[...terms.keys()], hasOnlyStopWords]).toEqual([["what", "is", "the"], true]);
    expect(analyzeQuery("what is the kite")).toMatchObject({ hasOnlyStopWords: false });
  });

  it("truncates a query at 64 terms and at 4,000 characters, and says so", () => {
    const many = (count: number): string =>
      Array.from({ length: count }, (_, at) => 1_000 + at).join(" ");
    expect(analyzeQuery(many(64))).toMatchObject({ isTruncated: false });
    expect(analyzeQuery(many(65))).toMatchObject({ isTruncated: true });
    expect(analyzeQuery(many(65)).terms.size).toBe(64);
    expect(analyzeQuery(`kite${" ".repeat(3_996)}`)).toMatchObject({ isTruncated: false });
    expect(analyzeQuery(`kite${" ".repeat(3_997)}`)).toMatchObject({ isTruncated: true });
  });
});
