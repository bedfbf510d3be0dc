import type { LinkedTopic, LinkGraph } from "../../src/view/link-graph.ts";

/** A rectangle of the drawing. */
export interface LinkNode {
  /** `undefined` for the topic in the center. */
  readonly topic: LinkedTopic | undefined;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Of the text, in characters. */
  readonly maxCharacters: number;
}

interface LinkEdge {
  /** The data of an SVG path, which ends at the topic that is named. */
  readonly path: string;
  readonly relation: LinkedTopic["relation"];
}

export interface LinkDrawing {
  readonly height: number;
  readonly nodes: readonly LinkNode[];
  readonly edges: readonly LinkEdge[];
}

export const NODE_HEIGHT = 30;
const STEP = 40;
const CHARACTER = 7.4;
const PADDING = 22;
/** Three columns need this width. */
const MIN_WIDE = 560;
/** Longer lines are harder to follow. */
const MAX_WIDTH = 900;

/** Places the topics: those that name the center on its left, those that it names on its right. */
export function layoutLinks(graph: LinkGraph, width: number): LinkDrawing {
  return width >= MIN_WIDE ? inColumns(graph, width) : inOneColumn(graph, width);
}

function inColumns({ before, after }: LinkGraph, available: number): LinkDrawing {
  const width = Math.min(available, MAX_WIDTH);
  const column = Math.min(300, Math.floor(width * 0.3));
  const rows = Math.max(before.length, after.length, 1);
  const height = rows * STEP;
  const place = (topics: readonly LinkedTopic[], x: number): readonly LinkNode[] => {
    const top = (height - topics.length * STEP) / 2 + (STEP - NODE_HEIGHT) / 2;
    return topics.map((topic, at) => nodeAt({ topic, x, y: top + at * STEP, width: column }));
  };
  const left = place(before, 0);
  const right = place(after, width - column);
  const centerX = before.length === 0 ? 0 : (width - column) / 2;
  const center = nodeAt({
    topic: undefined,
    x: centerX,
    y: (height - NODE_HEIGHT) / 2,
    width: column,
  });
  const middle = center.y + NODE_HEIGHT / 2;
  return {
    height,
    nodes: [...left, center, ...right],
    edges: [
      ...left.map((node) => ({
        path: curve([node.x + node.width, node.y + NODE_HEIGHT / 2], [center.x, middle]),
        relation: node.topic?.relation ?? "from",
      })),
      ...right.map((node) => ({
        path: curve([center.x + column, middle], [node.x, node.y + NODE_HEIGHT / 2]),
        relation: node.topic?.relation ?? "to",
      })),
    ],
  };
}

const INDENT = 30;

/** On a narrow screen the topics are below each other, in the order of the columns. */
function inOneColumn({ before, after }: LinkGraph, width: number): LinkDrawing {
  const nodes: LinkNode[] = [];
  const y = (): number => nodes.length * STEP + (STEP - NODE_HEIGHT) / 2;
  for (const topic of before)
    nodes.push(nodeAt({ topic, x: INDENT, y: y(), width: width - INDENT }));
  const center = nodeAt({ topic: undefined, x: 0, y: y(), width: width - INDENT });
  nodes.push(center);
  for (const topic of after)
    nodes.push(nodeAt({ topic, x: INDENT, y: y(), width: width - INDENT }));
  const stem = INDENT / 2;
  const edges = nodes.flatMap(({ topic, x, y: top }): readonly LinkEdge[] => {
    if (topic === undefined) return [];
    const side = top + NODE_HEIGHT / 2;
    const isBefore = top < center.y;
    const end = isBefore ? center.y : center.y + NODE_HEIGHT;
    // An arrow points at what is named.
    const path = isBefore ? `M${x},${side} H${stem} V${end}` : `M${stem},${end} V${side} H${x}`;
    return [{ path, relation: topic.relation }];
  });
  return { height: nodes.length * STEP, nodes, edges };
}

function nodeAt(node: Omit<LinkNode, "maxCharacters">): LinkNode {
  return { ...node, maxCharacters: Math.floor((node.width - PADDING) / CHARACTER) };
}

type Point = readonly [x: number, y: number];

function curve([x0, y0]: Point, [x1, y1]: Point): string {
  const half = (x0 + x1) / 2;
  return `M${x0},${y0} C${half},${y0} ${half},${y1} ${x1},${y1}`;
}
