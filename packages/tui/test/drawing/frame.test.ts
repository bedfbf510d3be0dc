import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createVirtualTerminal,
  type VirtualTerminal,
} from "../../../../test/support/virtual-terminal.ts";
import { drawFrame, emptyFrame, type Frame } from "../../src/drawing/frame.ts";
import type { Layout } from "../../src/drawing/layout.ts";

interface Step {
  readonly final?: number;
  /** Items that are not final yet; the next step with `final` makes them final. */
  readonly open?: number;
  readonly prompt?: number;
  readonly size?: readonly [columns: number, rows: number];
}

/** Draws one step after another on a terminal, as the screen would. */
function createDrawer(size: readonly [number, number]): {
  readonly terminal: VirtualTerminal;
  readonly draw: (step: Step) => void;
  /** What is final, as it is laid out now. */
  readonly finalLines: () => readonly string[];
  readonly finalCount: () => number;
} {
  const terminal = createVirtualTerminal({ columns: size[0], rows: size[1] });
  let frame: Frame = emptyFrame();
  let [final, open, prompt] = [0, 0, 5];
  const layout = (): Layout => {
    const items = Array.from({ length: final + open }, (_, index) =>
      wrap({ index, columns: terminal.columns, mark: index < final ? "#" : "~" }),
    );
    const itemStarts = items.map((_, index) => items.slice(0, index).flat().length);
    const lines = items.flat();
    const stableCount = items.slice(0, final).flat().length;
    const below = Array.from({ length: prompt }, (_, index) => `prompt ${index}`);
    return {
      lines: [...lines, ...below],
      itemStarts,
      stableCount,
      transcriptCount: lines.length,
    };
  };
  const draw = (step: Step): void => {
    if (step.final !== undefined) [final, open] = [final + open + step.final, 0];
    open = step.open ?? open;
    prompt = step.prompt ?? prompt;
    if (step.size !== undefined) terminal.resize(...step.size);
    const current = layout();
    const drawing = drawFrame(frame, {
      layout: current,
      columns: terminal.columns,
      height: terminal.rows,
      typing: { line: current.lines.length - 3, column: 2 },
      wasResized: step.size !== undefined,
    });
    frame = drawing.frame;
    terminal.write(drawing.output);
  };
  return {
    terminal,
    draw,
    finalLines: () => layout().lines.slice(0, layout().stableCount),
    finalCount: () => final,
  };
}

interface WrapInput {
  readonly index: number;
  readonly columns: number;
  readonly mark: "#" | "~";
}

/** Item 12 starts with `#12.`, or `~12.` while it is not final, and is up to a few lines long. */
function wrap({ index, columns, mark }: WrapInput): readonly string[] {
  const text = `${mark}${index}.${"x".repeat((index * 37) % 90)}`;
  return text.match(new RegExp(`.{1,${columns}}`, "g")) ?? [];
}

const changes: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ final: fc.integer({ min: 0, max: 12 }) }),
  fc.record({ final: fc.constant(0), open: fc.integer({ min: 0, max: 30 }) }),
  fc.record({ prompt: fc.integer({ min: 5, max: 7 }) }),
);
const sizes = fc.record({
  size: fc.tuple(fc.constantFrom(20, 33, 50, 80), fc.constantFrom(8, 12, 20)),
});

describe("a frame", () => {
  it("leaves each final line in the scrollback once, as it was in the end", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { maxLength: 20 }), async (steps) => {
        const { terminal, draw, finalLines } = createDrawer([50, 16]);
        for (const step of steps) draw(step);
        draw({ final: 40, prompt: 5 });
        const lines = (await terminal.scrollback()).split("\n");
        expect(lines.slice(0, -5)).toEqual(finalLines());
        expect(terminal.written()).not.toContain("\u001B[3J");
      }),
      { numRuns: 60 },
    );
  });

  it("loses no final line, however often the size changes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(changes, sizes), { maxLength: 25 }),
        async (steps: readonly Step[]) => {
          const { terminal, draw, finalCount } = createDrawer([50, 16]);
          for (const step of steps) {
            draw(step);
            await terminal.screen();
          }
          draw({ final: 0, prompt: 5 });
          const ids = [...(await terminal.scrollback()).matchAll(/#(\d+)\./g)].map(([, id]) =>
            Number(id),
          );
          const found = new Set(ids);
          const missing = Array.from({ length: finalCount() }, (_, id) => id).filter(
            (id) => !found.has(id),
          );
          expect(missing).toEqual([]);
          const seen = (await terminal.screen()).split("\n");
          expect(seen.slice(-5)).toEqual([0, 1, 2, 3, 4].map((row) => `prompt ${row}`));
        },
      ),
      { numRuns: 80 },
    );
  });

  it("writes only the rows that changed", () => {
    const { terminal, draw } = createDrawer([50, 16]);
    draw({ final: 200 });
    const before = terminal.written().length;
    draw({ prompt: 6 });
    const written = terminal.written().slice(before);
    expect(written).toContain("prompt 5");
    expect(written).not.toMatch(/#\d|prompt 4/);
  });
});
