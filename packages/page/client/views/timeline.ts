import type { GenerationView } from "../../src/view/generation-view.ts";
import type { ChangeView, TimelineRow } from "../../src/view/timeline-view.ts";
import { html, type View } from "../html.ts";
import { Diff } from "../parts/diff.ts";
import { Facts } from "../parts/facts.ts";
import { dayOf, hourOf, shortTime } from "../parts/format.ts";
import { loaded } from "../parts/loaded.ts";
import { line, PlainText } from "../parts/safe-text.ts";
import { inLine, scopeName } from "../parts/scope-name.ts";
import { useResource } from "../state/resource.ts";
import { addressOf, currentRoute } from "../state/route.ts";
import { change, isStored } from "../state/server.ts";
import { showOutcome, undoChange } from "../state/toast.ts";

/** Every change and every generation of learned memory, and what one of them did. */
export function TimelinePage(): View {
  const changes = useResource<{ readonly rows: readonly TimelineRow[]; readonly total: number }>(
    "changes",
  );
  const [, scope = "", id = ""] = currentRoute.value.pieces;
  const isOpen = scope !== "" && id !== "";
  return html`<div class=${isOpen ? "split is-open" : "split"}>
    <div class="list">
      ${loaded(changes, ({ rows, total }) =>
        rows.length === 0
          ? html`<div class="empty card">
              <h2>No changes yet</h2>
              <p>Every change of a topic appears here with its author, and can be undone.</p>
            </div>`
          : html`<${Days} rows=${rows} open=${`${scope}/${id}`} />
              ${total > rows.length && html`<p class="quiet">${total - rows.length} older changes are in <code>caliban memory log</code>.</p>`}`,
      )}
    </div>
    <div class="detail">
      ${
        !isOpen
          ? html`<p class="hint">
              Open a change to see what it did. <kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd>
            </p>`
          : scope === "learned"
            ? html`<${OpenGeneration} key=${id} id=${id} />`
            : html`<${OpenChange} key=${`${scope}/${id}`} scope=${scope} id=${id} />`
      }
    </div>
  </div>`;
}

function Days({
  rows,
  open,
}: {
  readonly rows: readonly TimelineRow[];
  readonly open: string;
}): View {
  return [...Map.groupBy(rows, ({ at }) => dayOf(at))].map(
    ([day, own]) =>
      html`<section key=${day}>
        <h2 class="day">${day === dayOf(Date.now()) ? "Today" : day}</h2>
        <ul class="rows card">
          ${own.map((row) => {
            const key = `${row.scope}/${row.id}`;
            return html`<${ChangeLine} key=${key} row=${row} isOpen=${key === open} />`;
          })}
        </ul>
      </section>`,
  );
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
  const isLearned = scope === "learned";
  return html`<li>
    <a
      data-row
      aria-current=${isOpen ? "true" : undefined}
      href=${addressOf("timeline", scope, id)}
    >
      <span class=${`tag action-${action}`}>${action}</span>${" "}
      <strong class=${isUndone ? "undone" : ""}>${names}</strong>
      <small
        >${inLine([hourOf(at), isLearned ? "from past sessions" : line(author), !isLearned && scopeName(scope), of !== undefined && `of ${of}`, isUndone && "undone"])}</small
      >
    </a>
  </li>`;
}

function CloseLink(): View {
  return html`<a class="close" href=${addressOf("timeline")} data-key="b">Close <kbd>b</kbd></a>`;
}

function OpenChange({ scope, id }: { readonly scope: string; readonly id: string }): View {
  const view = useResource<ChangeView>(
    `change?scope=${encodeURIComponent(scope)}&id=${encodeURIComponent(id)}`,
  );
  return html`<section class="card">
    <${CloseLink} />
    ${loaded(
      view,
      ({ row, files }) =>
        html`<h2>${row.action} ${id}</h2>
          <${Facts} facts=${factsOf(row)} />
          ${
            !isStored &&
            row.canUndo &&
            html`<div class="actions">
              <button
                type="button"
                class="primary"
                data-key="u"
                onClick=${() => void undoChange(scope, id)}
              >
                Undo <kbd>u</kbd>
              </button>
            </div>`
          }
          ${row.isErased && html`<p>Its texts were erased, so there is nothing to compare.</p>`}
          ${files.map(
            ({ slug, diff }) =>
              html`<h3><a href=${addressOf("topics", scope, slug)}>${line(slug)}</a></h3>
                <${Diff} rows=${diff} />`,
          )}`,
    )}
  </section>`;
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

/** What was learned with one run of the pipeline. */
function OpenGeneration({ id }: { readonly id: string }): View {
  const view = useResource<GenerationView>(`generation?id=${encodeURIComponent(id)}`);
  const undo = async (): Promise<void> => {
    showOutcome("learned", await change("generation/undo", { id }));
  };
  return html`<section class="card">
    <${CloseLink} />
    ${loaded(view, ({ row, previous, isCurrent, files }) => {
      const state = isCurrent ? "current: new sessions see it" : "not used by new sessions";
      const facts = [
        ["learned", shortTime(row.at)],
        ["state", state],
        [
          "compared with",
          previous === undefined ? "nothing, it is the oldest" : `generation ${previous}`,
        ],
      ];
      return html`<h2>Learned memory, generation ${id}</h2>
        <${Facts} facts=${facts} />
        ${
          !isStored &&
          row.canUndo &&
          html`<div class="actions">
            <button type="button" class="primary" data-key="u" onClick=${() => void undo()}>
              Use generation ${previous} again <kbd>u</kbd>
            </button>
          </div>`
        }
        ${files.map(
          ({ path, text, diff }) =>
            html`<h3>${line(path)}</h3>
              ${diff.length === 0 ? html`<p class="quiet">The same as before.</p>` : html`<${Diff} rows=${diff} />`}
              ${
                text === undefined
                  ? html`<p class="quiet">It is no longer part of learned memory.</p>`
                  : html`<details>
                      <summary>Whole text</summary>
                      <${PlainText} text=${text} />
                    </details>`
              }`,
        )}`;
    })}
  </section>`;
}
