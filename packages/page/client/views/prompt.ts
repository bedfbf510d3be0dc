import { hierarchy, treemap } from "d3-hierarchy";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PromptPart } from "../../src/view/prompt-parts.ts";
import type { PromptRow, PromptView } from "../../src/view/prompt-view.ts";
import { html, type View } from "../html.ts";
import { loaded } from "../parts/loaded.ts";
import { line, PlainText } from "../parts/safe-text.ts";
import { useResource } from "../state/resource.ts";
import { addressOf, currentRoute } from "../state/route.ts";

/** What is in the prompt: a map of its tokens, and the text of each part. */
export function PromptPage(): View {
  const view = useResource<PromptView>("prompt");
  const [, part] = currentRoute.value.pieces;
  return loaded(
    view,
    (prompt) =>
      html`<${Budget} prompt=${prompt} />
        <${Treemap} rows=${prompt.rows} />
        ${part !== undefined && part !== "" && html`<${PartText} part=${part} />`}
        <${Rows} rows=${prompt.rows} />
        ${prompt.notices.map(({ code, message }) => html`<p class="notice">${code}: ${line(message)}</p>`)}`,
  );
}

function Budget({ prompt }: { readonly prompt: PromptView }): View {
  const { totalTokens, ceilingTokens } = prompt;
  return html`<p>
    <label>
      ${count(totalTokens)} of ${count(ceilingTokens)} tokens for memory
      <meter min="0" max=${ceilingTokens} value=${totalTokens}></meter>
    </label>
  </p>`;
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}

const HEIGHT = 260;
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

function tilesOf(rows: readonly PromptRow[], width: number): readonly Tile[] {
  const tiers = Map.groupBy(areasOf(rows), ({ row }) => row.tier);
  const children = [...tiers.values()].map((areas) => ({
    children: areas.map((area) => ({ area })),
  }));
  const root = hierarchy<TreeNode>({ children }, ({ children: below }) => below && [...below]).sum(
    ({ area }) => area?.tokens ?? 0,
  );
  const layout = treemap<TreeNode>().size([width, HEIGHT]).paddingInner(2).round(true)(root);
  return layout.leaves().flatMap(({ data: { area }, x0, y0, x1, y1 }) => {
    const [left, top] = [`${x0}px`, `${y0}px`];
    const style = { left, top, width: `${x1 - x0}px`, height: `${y1 - y0}px` };
    return area === undefined ? [] : [Object.assign({}, area, { style })];
  });
}

function Treemap({ rows }: { readonly rows: readonly PromptRow[] }): View {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (box.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  // Imports are part of the file that imports them.
  const files = rows.filter(({ kind }) => kind !== "import");
  if (files.length === 0)
    return html`<p class="quiet">No memory is in the prompt of this project yet.</p>`;
  return html`<div class="treemap" ref=${box} role="group" aria-label="Tokens by file">
    ${width > 0 && tilesOf(files, width).map((tile) => html`<${TileView} ...${tile} />`)}
  </div>`;
}

function TileView({ row, isGray, style }: Tile): View {
  const { path, tier, part, reason, tokens, cutTokens } = row;
  const name = line(path.split(/[\\/]/).at(-1) ?? path);
  const missing = cutTokens > 0 ? `about ${count(cutTokens)} tokens cut` : "skipped";
  const short = `${tier}, ${isGray ? `${missing}: ${reason}` : `${count(tokens)} tokens`}`;
  const label = `${name} ${short}, ${line(path)}`;
  const body = html`<strong>${name}</strong> <span>${short}</span>`;
  const look = `tile ${isGray ? "gray" : tier}`;
  if (part === undefined || isGray)
    return html`<div class=${look} style=${style} role="img" aria-label=${label} title=${label}>
      ${body}
    </div>`;
  const address = addressOf("prompt", String(part));
  return html`<a
    data-row
    class=${look}
    style=${style}
    aria-label=${label}
    title=${label}
    href=${address}
    >${body}</a
  >`;
}

/** Whether something of it is missing in the prompt. */
function isIncomplete({ status }: PromptRow): boolean {
  return status !== "loaded";
}

function PartText({ part }: { readonly part: string }): View {
  const text = useResource<PromptPart>(`prompt/part?part=${encodeURIComponent(part)}`);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [part, text === undefined]);
  return html`<section class="panel">
    <h2 ref=${heading} tabindex="-1">What the model reads</h2>
    <p>
      <a href="#/prompt" data-key="b">Close <kbd>b</kbd></a>
    </p>
    ${loaded(text, ({ text: shown }) => html`<${PlainText} text=${shown} />`)}
  </section>`;
}

function Rows({ rows }: { readonly rows: readonly PromptRow[] }): View {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Files">
    <table>
      <thead>
        <tr>
          <th>Tier</th>
          <th>File</th>
          <th>Tokens</th>
          <th>State</th>
          <th>Reason</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr class=${isIncomplete(row) ? "gray" : ""}>
              <td>${row.tier}</td>
              <td class="path">
                ${row.part === undefined ? line(row.path) : html`<a href=${addressOf("prompt", String(row.part))}>${line(row.path)}</a>`}
                ${row.importedBy !== undefined && html`<br /><span class="quiet">imported by ${line(row.importedBy)}</span>`}
              </td>
              <td class="number">${count(row.tokens)}</td>
              <td>${row.status}</td>
              <td><code>${row.reason}</code> ${line(row.message)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
