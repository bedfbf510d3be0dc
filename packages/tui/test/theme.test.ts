import { describe, expect, it } from "vitest";
import { createTheme, PALETTE, type Shade } from "../src/theme.ts";
import { renderChange } from "../src/transcript/render-change.ts";
import { renderItem } from "../src/transcript/render-item.ts";
import { notice } from "../src/transcript/transcript.ts";
import { contrast, seenDistance, VISIONS, type Vision } from "./color-blindness.ts";

const SHADES: readonly Shade[] = ["dark", "light"];
/** Black and white are the extremes; dark gray is what most dark themes have. */
const BACKGROUNDS = { dark: 234, light: 231 } as const;

describe("the colors of the screen", () => {
  it.each(SHADES)("the colors of the screen are readable on a %s background", (shade) => {
    for (const color of Object.values(PALETTE))
      expect(contrast(color[shade], BACKGROUNDS[shade])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(Object.keys(VISIONS) as readonly Vision[])(
    "tell success from failure and added from removed lines with %s",
    (vision) => {
      for (const shade of SHADES) {
        const { good, bad, added, removed } = PALETTE;
        expect(seenDistance(good[shade], bad[shade], vision)).toBeGreaterThan(35);
        expect(seenDistance(added[shade], removed[shade], vision)).toBeGreaterThan(35);
      }
    },
  );

  it("the screen never tells a difference by color alone", () => {
    const theme = createTheme({ color: false });
    const look = { theme, width: 40, isExpanded: false, workspaceRoot: "/w", wraps: false };
    const call = (isError: boolean): readonly string[] =>
      renderItem(
        { kind: "tool", id: "1", name: "Read", input: {}, result: { text: "", isError } },
        look,
      );
    expect(call(true)).not.toEqual(call(false));
    expect(renderItem(notice("good", "x"), look)).not.toEqual(renderItem(notice("bad", "x"), look));
    const line = (sign: "+" | "-"): readonly string[] =>
      renderChange([{ sign, line: 1, text: "x" }], look);
    expect(line("+")).not.toEqual(line("-"));
  });
});
