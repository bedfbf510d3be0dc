import { hierarchy, treemap } from "d3-hierarchy";
import type { PromptRow } from "../../src/view/prompt-view.ts";
import { html, type View } from "../html.ts";
import { count } from "../parts/format.ts";
import { line } from "../parts/safe-text.ts";
import { useWidth } from "../parts/width.ts";
import { addressOf } from "../state/route.ts";

const HEIGHT = 280;
const NARROW_HEIGHT = 380;
const MIN_WIDE = 560;
/** A narrower tile would show single letters. Its name is its tooltip, and in the table below. */
const MIN_NAME_WIDTH = 56;
/** A part that is not in the prompt has no tokens, and gets a small area. */
const MIN_SHARE = 0.02;

interface TreeNode {
  readonly area?: Area;
  readonly children?: readonly TreeNode[];
}

/** A file or the part of it that is not in the prompt, with its share of the map. */
interface Area {
  readonly row: PromptRow;
  readonly tokens: number;
  readonly isGray: boolean;
}

interface Tile extends Area {
  /** Whether there is no room for its name. */
  readonly isTiny: boolean;
  readonly style: Readonly<Record<"left" | "top" | "width" | "height", string>>;
}

/** An area for each file, and a gray one for what is missing of it: by tokens, or small if it has none. */
function areasOf(rows: readonly PromptRow[]): readonly Area[] {
  const total = rows.reduce((sum, { tokens }) => sum + tokens, 0);
  const least = Math.max(1, total * MIN_SHARE);
  return rows.flatMap((row) => {
    const isSkipped = row.status === "skipped";
    const whole = { row, tokens: Math.max(row.tokens, least), isGray: isSkipped };
    if (row.cutTokens === 0) return [whole];
    // A large file would leave no space for the others.
    const cut = Math.max(least, Math.min(row.cutTokens, total / 2));
    return [whole, { row, tokens: cut, isGray: true }];
  });
}

function tilesOf(rows: readonly PromptRow[], width: number, height: number): readonly Tile[] {
  const tiers = Map.groupBy(areasOf(rows), ({ row }) => row.tier);
  const children = [...tiers.values()].map((areas) => ({
    children: areas.map((area) => ({ area })),
  }));
  const root = hierarchy<TreeNode>({ children }, ({ children: below }) => below && [...below]).sum(
    ({ area }) => area?.tokens ?? 0,
  );
  const layout = treemap<TreeNode>().size([width, height]).paddingInner(3).round(true)(root);
  return layout.leaves().flatMap(({ data: { area }, x0, y0, x1, y1 }) => {
    const [left, top] = [`${x0}px`, `${y0}px`];
    const style = { left, top, width: `${x1 - x0}px`, height: `${y1 - y0}px` };
    const isTiny = x1 - x0 < MIN_NAME_WIDTH;
    return area === undefined ? [] : [Object.assign({}, area, { style, isTiny })];
  });
}

/** A map of the tokens by tier and file. */
export function Treemap({ rows }: { readonly rows: readonly PromptRow[] }): View {
  const [box, width] = useWidth();
  // Imports are part of the file that imports them.
  const files = rows.filter(({ kind }) => kind !== "import");
  if (files.length === 0)
    return html`<div class="empty card">
      <h2>No memory in the prompt</h2>
      <p>A file CLAUDE.md in the project, or what the agent remembers, appears here.</p>
    </div>`;
  const height = width < MIN_WIDE ? NARROW_HEIGHT : HEIGHT;
  return html`<div
    class="treemap"
    ref=${box}
    style=${{ height: `${height}px` }}
    role="group"
    aria-label="Tokens by file"
  >
    ${width > 0 && tilesOf(files, width, height).map((tile) => html`<${TileView} ...${tile} />`)}
  </div>`;
}

function TileView({ row, isGray, isTiny, style }: Tile): View {
  const { path, tier, part, reason, tokens, cutTokens, isStable } = row;
  const name = line(path.split(/[\\/]/).at(-1) ?? path);
  const missing = cutTokens > 0 ? `about ${count(cutTokens)} tokens cut` : "skipped";
  const stable = isStable && !isGray ? ", cache-stable" : "";
  const short = `${tier}, ${isGray ? `${missing}: ${reason}` : `${count(tokens)} tokens`}`;
  const label = `${name} ${short}${stable}, ${line(path)}`;
  const body = html`<strong>${name}</strong>
    <span>${short}</span> ${stable !== "" && html`<span class="stable-mark">cache-stable</span>`}`;
  const look = `tile ${isGray ? "gray" : tier}${stable === "" ? "" : " stable"}${isTiny ? " tiny" : ""}`;
  if (part === undefined || isGray)
    return html`<div class=${look} style=${style} role="img" aria-label=${label} title=${label}>
      ${body}
    </div>`;
  const address = addressOf("prompt", String(part));
  return html`<a data-row class=${look} style=${style} title=${label} href=${address}
    >${body}<span class="hidden">${line(path)}</span></a
  >`;
}
