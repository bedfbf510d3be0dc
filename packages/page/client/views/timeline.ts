import type { ChangeView, TimelineRow } from "../../src/view/timeline-view.ts";
import { html, type View } from "../html.ts";
import { Diff } from "../parts/diff.ts";
import { Facts } from "../parts/facts.ts";
import { loaded } from "../parts/loaded.ts";
import { line } from "../parts/safe-text.ts";
import { shortTime } from "../parts/time.ts";
import { useResource } from "../state/resource.ts";
import { addressOf, currentRoute } from "../state/route.ts";
import { isStored } from "../state/server.ts";
import { undoChange } from "../state/toast.ts";

/** Every change, and what one of them did. */
export function TimelinePage(): View {
  const changes = useResource<{ readonly rows: readonly TimelineRow[]; readonly total: number }>(
    "changes",
  );
  const [, scope, id] = currentRoute.value.pieces;
  return html`${scope !== undefined && id !== undefined && html`<${OpenChange} scope=${scope} id=${id} />`}
  ${loaded(changes, ({ rows, total }) =>
    rows.length === 0
      ? html`<p class="quiet">No changes yet.</p>`
      : html`<ul class="rows">
            ${rows.map((row) => html`<${ChangeLine} key=${`${row.scope}/${row.id}`} row=${row} isOpen=${row.id === id} />`)}
          </ul>
          ${total > rows.length && html`<p class="quiet">${total - rows.length} older changes are in <code>caliban memory log</code>.</p>`}`,
  )}`;
}

const MAX_NAMES = 5;

function ChangeLine({
  row,
  isOpen,
}: {
  readonly row: TimelineRow;
  readonly isOpen: boolean;
}): View {
  const { scope, id, at, author, action, slugs, isUndone, of } = row;
  const more = slugs.length - MAX_NAMES;
  const names =
    slugs.slice(0, MAX_NAMES).map(line).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return html`<li>
    <a
      data-row
      aria-current=${isOpen ? "true" : undefined}
      href=${addressOf("timeline", scope, id)}
    >
      <strong>${action} ${names}</strong>
      <small
        >${[shortTime(at), line(author), scope === "user" ? "yours" : "project", of === undefined ? "" : `of ${of}`, isUndone ? "undone" : ""].filter((text) => text !== "").join(" · ")}</small
      >
    </a>
  </li>`;
}

function OpenChange({ scope, id }: { readonly scope: string; readonly id: string }): View {
  const view = useResource<ChangeView>(
    `change?scope=${encodeURIComponent(scope)}&id=${encodeURIComponent(id)}`,
  );
  return loaded(
    view,
    ({ row, files }) =>
      html`<section class="panel">
        <h2>${row.action} ${id}</h2>
        <${Facts} facts=${factsOf(row)} />
        <div class="actions">
          ${!isStored && !row.isUndone && !row.isErased && html`<button type="button" data-key="u" onClick=${() => void undoChange(scope, id)}>Undo <kbd>u</kbd></button>`}
          <a href="#/timeline" data-key="b">Close <kbd>b</kbd></a>
        </div>
        ${row.isErased && html`<p>Its texts were erased, so there is nothing to compare.</p>`}
        ${files.map(
          ({ slug, diff }) =>
            html`<h3><a href=${addressOf("topics", scope, slug)}>${line(slug)}</a></h3>
              <${Diff} rows=${diff} />`,
        )}
      </section>`,
  );
}

function factsOf({
  at,
  author,
  session,
  origin,
}: TimelineRow): readonly (readonly [string, string])[] {
  const facts = [
    ["time", shortTime(at)],
    ["author", author],
    ["session", session],
    ["origin", origin],
  ] as const;
  return facts.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
}
