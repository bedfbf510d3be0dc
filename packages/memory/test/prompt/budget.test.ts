import { estimateTokens } from "@caliban/common";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BudgetSettings, fitToBudget } from "../../src/prompt/budget.ts";
import { renderBlock, splice } from "../../src/prompt/splice.ts";
import { SPLICE_ORDER, type Block, type TierKind } from "../../src/prompt/tier.ts";

const block = (tier: TierKind, body: string, path = "/p"): Block => ({
  tier,
  kind: "instructions",
  path,
  body,
  removedBytes: 0,
});
const lines = (count: number): string => "0123456\n".repeat(count);
/** What happened to each file, by its path. */
const outcomes = (blocks: readonly Block[], settings: BudgetSettings): Record<string, string> =>
  Object.fromEntries(
    fitToBudget(blocks, settings).map(({ original, block: found }) => {
      if (found === undefined) return [original.path, "out"];
      return [original.path, found === original ? "whole" : "cut"];
    }),
  );

// 110 to 140 tokens each, frame included.
const TIERS = [
  block("global", lines(50), "global"),
  block("project", lines(50), "project"),
  block("auto", lines(50), "auto"),
];
const WHOLE = { global: "whole", project: "whole", auto: "whole" };

describe("fitToBudget", () => {
  it("leaves blocks that fit unchanged", () => {
    expect(outcomes(TIERS, { ceilingTokens: 32_000 })).toEqual(WHOLE);
  });

  it.for([
    [{ ceilingTokens: 320 }, { ...WHOLE, auto: "cut" }],
    [{ ceilingTokens: 220 }, { ...WHOLE, project: "cut", auto: "out" }],
    [{ ceilingTokens: 60 }, { global: "cut", project: "out", auto: "out" }],
    [{ ceilingTokens: 5 }, { global: "out", project: "out", auto: "out" }],
    [
      { ceilingTokens: 32_000, capTokensAuto: 100 },
      { ...WHOLE, auto: "cut" },
    ],
    [
      { ceilingTokens: 32_000, capTokensClaudeMd: 200 },
      { ...WHOLE, project: "cut" },
    ],
    [
      { ceilingTokens: 32_000, capTokensClaudeMd: 100 },
      { ...WHOLE, global: "cut", project: "out" },
    ],
    [
      { ceilingTokens: 32_000, requestedCapTokensProject: 200 },
      { ...WHOLE, project: "cut" },
    ],
    [
      { ceilingTokens: 32_000, requestedCapTokensProject: 100 },
      { ...WHOLE, project: "out" },
    ],
    // A single cap applies unchanged, but never above the ceiling.
    [
      { ceilingTokens: 300, capTokensAuto: 150 },
      { ...WHOLE, auto: "cut" },
    ],
    [
      { ceilingTokens: 50, capTokensAuto: 9_000 },
      { global: "cut", project: "out", auto: "out" },
    ],
    // 300 + 100 over a ceiling of 200 become 150 + 50.
    [
      { ceilingTokens: 200, capTokensAuto: 300, capTokensClaudeMd: 100 },
      { global: "cut", project: "out", auto: "whole" },
    ],
  ] as const)("fits the three tiers to %j as %j", ([settings, expected]) => {
    expect(outcomes(TIERS, settings)).toEqual(expected);
  });

  it("names the limit that applied to each file", () => {
    const settings = { ceilingTokens: 250, capTokensClaudeMd: 200, requestedCapTokensProject: 190 };
    expect(fitToBudget(TIERS, settings).map(({ limit }) => limit)).toEqual([
      { name: "cap_tokens_claude_md", tokens: 200 },
      { name: "cap_tokens_claude_md", tokens: 190 },
      { name: "cap_tokens_combined", tokens: 250 },
    ]);
  });

  it("scales two caps over the ceiling in proportion, rounded down", () => {
    const settings = { ceilingTokens: 200, capTokensAuto: 301, capTokensClaudeMd: 100 };
    const alone = fitToBudget(TIERS, { ceilingTokens: 200, capTokensClaudeMd: 49 });
    expect(fitToBudget(TIERS, settings)[0]).toEqual(alone[0]);
  });

  it("fills the share up to the last line that fits", () => {
    const [fitted] = fitToBudget(TIERS, { ceilingTokens: 100 });
    // 400 bytes less 78 for tags, notice and line end leave 322, of which 40 lines of 8 are 320.
    expect(fitted?.block).toMatchObject({ body: lines(40), removedBytes: 80 });
  });

  it("cuts the broadest project file before the narrower ones", () => {
    const files = [block("project", lines(50), "broad"), block("project", lines(50), "narrow")];
    expect(outcomes(files, { ceilingTokens: 180 })).toEqual({ broad: "cut", narrow: "whole" });
  });

  it("leaves a tier out when its share cannot hold the frame and the notice", () => {
    const [fitted] = fitToBudget([block("global", lines(9))], { ceilingTokens: 5 });
    expect(fitted).toMatchObject({ block: undefined, tokens: 0 });
  });
});

const body = fc
  .array(fc.constantFrom("a", "é", "日", "🙂", "\n"), { minLength: 1, maxLength: 24 })
  .map((characters) => characters.join(""));
const anyBlocks = fc.array(
  fc.record({
    tier: fc.constantFrom(...SPLICE_ORDER),
    kind: fc.constant("instructions" as const),
    path: fc.constantFrom("/a", "/b"),
    body,
    removedBytes: fc.constantFrom(0, 7),
  }),
  { maxLength: 4 },
);
const cap = fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined });
const anySettings = fc.record({
  ceilingTokens: fc.integer({ min: 1, max: 80 }),
  capTokensAuto: cap,
  capTokensClaudeMd: cap,
  requestedCapTokensProject: cap,
});
const left = (
  blocks: readonly Block[],
  settings: BudgetSettings,
  ...tiers: readonly TierKind[]
): string =>
  splice(
    fitToBudget(blocks, settings)
      .flatMap(({ block: found }) => found ?? [])
      .filter(({ tier }) => tiers.includes(tier)),
  );

describe("fitToBudget, for any files and caps", () => {
  it("never exceeds the ceiling or a cap", () => {
    fc.assert(
      fc.property(anyBlocks, anySettings, (blocks, settings) => {
        const { ceilingTokens, capTokensAuto = Infinity, capTokensClaudeMd = Infinity } = settings;
        expect(estimateTokens(left(blocks, settings, ...SPLICE_ORDER))).toBeLessThanOrEqual(
          ceilingTokens,
        );
        expect(estimateTokens(left(blocks, settings, "auto"))).toBeLessThanOrEqual(capTokensAuto);
        expect(estimateTokens(left(blocks, settings, "global", "project"))).toBeLessThanOrEqual(
          capTokensClaudeMd,
        );
      }),
    );
  });

  it("accounts for every byte and keeps Unicode valid", () => {
    fc.assert(
      fc.property(anyBlocks, anySettings, (blocks, settings) => {
        for (const { original, block: found } of fitToBudget(blocks, settings)) {
          if (found === undefined) continue;
          const size = ({ body: text, removedBytes }: Block): number =>
            Buffer.byteLength(text) + removedBytes;
          expect(size(found)).toBe(size(original));
          expect(found.body).toBe(found.body.toWellFormed());
        }
      }),
    );
  });

  it("counts exactly the tokens of what is rendered", () => {
    fc.assert(
      fc.property(anyBlocks, anySettings, (blocks, settings) => {
        for (const { block: found, tokens } of fitToBudget(blocks, settings)) {
          expect(tokens).toBe(found === undefined ? 0 : estimateTokens(renderBlock(found)));
        }
      }),
    );
  });

  it("never lets a lower tier change a higher one", () => {
    fc.assert(
      fc.property(anyBlocks, anySettings, body, (blocks, settings, more) => {
        const longer = (tier: TierKind): readonly Block[] => [...blocks, block(tier, more)];
        const global = left(blocks, settings, "global");
        expect(left(longer("auto"), settings, "global", "project")).toBe(
          left(blocks, settings, "global", "project"),
        );
        expect(left(longer("project"), settings, "global")).toBe(global);
        expect(left(longer("auto"), settings, "global")).toBe(global);
      }),
    );
  });

  it("never lets a cap requested by the repository affect the global tier or enlarge any tier", () => {
    const request = fc.record({ requestedCapTokensProject: cap, requestedCapTokensAuto: cap });
    fc.assert(
      fc.property(anyBlocks, anySettings, request, (blocks, settings, requested) => {
        const own = {
          ...settings,
          requestedCapTokensProject: undefined,
          requestedCapTokensAuto: undefined,
        };
        const both = { ...own, ...requested };
        expect(left(blocks, both, "global")).toBe(left(blocks, own, "global"));
        expect(estimateTokens(left(blocks, both, "project"))).toBeLessThanOrEqual(
          estimateTokens(left(blocks, own, "project")),
        );
        const autoAlone = { ...own, requestedCapTokensAuto: requested.requestedCapTokensAuto };
        expect(left(blocks, autoAlone, "project")).toBe(left(blocks, own, "project"));
      }),
    );
  });
});
