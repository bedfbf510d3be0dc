import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layoutLinks, NODE_HEIGHT } from "../../client/views/link-layout.ts";
import type { TopicLinks } from "../../src/index.ts";
import { linkGraph, MAX_NODES } from "../../src/view/link-graph.ts";

function topics(
  links: Readonly<Record<string, readonly string[]>>,
  supersedes: Readonly<Record<string, readonly string[]>> = {},
): ReadonlyMap<string, TopicLinks> {
  return new Map(
    Object.entries(links).map(([slug, each]) => [
      slug,
      { links: each, supersedes: supersedes[slug] ?? [] },
    ]),
  );
}

describe("linkGraph", () => {
  it("tells who links to a topic, whom it links to, and what exists", () => {
    const graph = linkGraph(
      "a",
      topics(
        { a: ["b", "c", "none", "a"], b: ["A"], d: ["a"], e: [], f: ["e"] },
        { e: ["a"], a: ["c"] },
      ),
    );
    expect(graph).toEqual({
      before: [
        { slug: "d", relation: "from", exists: true },
        { slug: "e", relation: "newer", exists: true },
      ],
      after: [
        { slug: "c", relation: "older", exists: false },
        { slug: "b", relation: "both", exists: true },
        { slug: "none", relation: "to", exists: false },
      ],
      hidden: { before: 0, after: 0 },
    });
  });

  it("never shows more than 30 topics, and says how many it leaves out", () => {
    const count = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(count, count, (incoming, outgoing) => {
        const own = Array.from({ length: outgoing }, (_, at) => `out-${at}`);
        const others = Array.from({ length: incoming }, (_, at) => [`in-${at}`, ["center"]]);
        const graph = linkGraph("center", topics({ center: own, ...Object.fromEntries(others) }));
        const { before, after, hidden } = graph;
        expect(before.length + after.length + 1).toBe(Math.min(MAX_NODES, incoming + outgoing + 1));
        expect(before.length + hidden.before).toBe(incoming);
        expect(after.length + hidden.after).toBe(outgoing);
      }),
    );
  });
});

describe("layoutLinks", () => {
  it("keeps every topic inside of the drawing, and none on another", () => {
    const count = fc.integer({ min: 0, max: 16 });
    fc.assert(
      fc.property(
        count,
        count,
        fc.integer({ min: 250, max: 1_600 }),
        (incoming, outgoing, width) => {
          const linked = (length: number, relation: "from" | "to") =>
            Array.from({ length }, (_, at) => ({
              slug: `${relation}-${at}`,
              relation,
              exists: true,
            }));
          const [before, after] = [linked(incoming, "from"), linked(outgoing, "to")];
          const hidden = { before: 0, after: 0 };
          const { nodes, edges, height } = layoutLinks({ before, after, hidden }, width);
          expect(nodes).toHaveLength(incoming + outgoing + 1);
          expect(edges).toHaveLength(incoming + outgoing);
          for (const node of nodes) {
            expect(node.x).toBeGreaterThanOrEqual(0);
            expect(node.x + node.width).toBeLessThanOrEqual(width);
            expect(node.y + NODE_HEIGHT).toBeLessThanOrEqual(height);
            const overlapping = nodes.filter(
              (other) =>
                Math.abs(other.y - node.y) < NODE_HEIGHT &&
                other.x < node.x + node.width &&
                node.x < other.x + other.width,
            );
            expect(overlapping).toEqual([node]);
          }
        },
      ),
    );
  });
});
