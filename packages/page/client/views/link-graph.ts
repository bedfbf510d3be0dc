import type { LinkGraph } from "../../src/view/link-graph.ts";
import { html, type View } from "../html.ts";
import { line } from "../parts/safe-text.ts";
import { useWidth } from "../parts/width.ts";
import { addressOf } from "../state/route.ts";
import { layoutLinks, type LinkNode, NODE_HEIGHT } from "./link-layout.ts";

/** The topics around one topic, as a drawing whose topics can be opened. */
export function LinkGraphView({
  scope,
  slug,
  graph,
}: {
  readonly scope: string;
  readonly slug: string;
  readonly graph: LinkGraph;
}): View {
  const [box, width] = useWidth();
  const { before, after, hidden } = graph;
  const count = before.length + after.length;
  const more = hidden.before + hidden.after;
  return html`<section class="links" ref=${box}>
    <h3>Links</h3>
    ${count === 0 && html`<p class="quiet">No topic links here, and this one links to none. <code>[[name]]</code> in the text makes a link.</p>`}
    ${count > 0 && width > 0 && html`<${Drawing} scope=${scope} slug=${slug} graph=${graph} width=${width} />`}
    ${more > 0 && html`<p class="quiet">and ${more} more</p>`}
  </section>`;
}

function Drawing({
  scope,
  slug,
  graph,
  width,
}: {
  readonly scope: string;
  readonly slug: string;
  readonly graph: LinkGraph;
  readonly width: number;
}): View {
  const { height, nodes, edges } = layoutLinks(graph, width);
  return html`<svg
    data-drawing
    class="graph"
    width=${width}
    height=${height}
    viewBox=${`0 0 ${width} ${height}`}
    role="group"
    aria-label="Linked topics"
  >
    <defs>
      <marker
        id="arrow"
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="7"
        markerHeight="7"
        orient="auto-start-reverse"
      >
        <path d="M0,0 L8,4 L0,8 Z" />
      </marker>
    </defs>
    ${edges.map(
      ({ path, relation }) =>
        html`<path
          class=${`edge ${relation}`}
          d=${path}
          marker-end="url(#arrow)"
          marker-start=${relation === "both" ? "url(#arrow)" : undefined}
        />`,
    )}
    ${nodes.map((node) => html`<${Node} scope=${scope} slug=${slug} node=${node} />`)}
  </svg>`;
}

const RELATIONS = {
  from: "links to this topic",
  to: "linked from this topic",
  both: "linked both ways",
  newer: "supersedes this topic",
  older: "superseded by this topic",
} as const;

function Node({
  scope,
  slug,
  node: { topic, x, y, width, maxCharacters },
}: {
  readonly scope: string;
  readonly slug: string;
  readonly node: LinkNode;
}): View {
  const name = line(topic?.slug ?? slug);
  const shown = name.length > maxCharacters ? `${name.slice(0, maxCharacters - 1)}…` : name;
  const look = topic === undefined ? "node center" : topic.exists ? "node" : "node missing";
  const about =
    topic === undefined
      ? `${name}, this topic`
      : `${name}, ${topic.exists ? RELATIONS[topic.relation] : "there is no such topic"}`;
  const body = html`<title>${about}</title>
    <rect x=${x + 1} y=${y + 1} width=${width - 2} height=${NODE_HEIGHT - 2} rx="7" />
    <text x=${x + 11} y=${y + NODE_HEIGHT / 2 + 4.5}>${shown}</text>`;
  if (topic === undefined || !topic.exists)
    return html`<g class=${look} role="img" aria-label=${about}>${body}</g>`;
  return html`<a class=${look} href=${addressOf("topics", scope, topic.slug)} aria-label=${about}
    >${body}</a
  >`;
}
