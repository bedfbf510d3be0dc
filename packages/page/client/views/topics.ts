import { type Signal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { TopicRow } from "../../src/view/topic-view.ts";
import { html, type View } from "../html.ts";
import { fieldValue } from "../parts/field-value.ts";
import { age, count, countOf } from "../parts/format.ts";
import { loaded } from "../parts/loaded.ts";
import { line } from "../parts/safe-text.ts";
import { inLine } from "../parts/scope-name.ts";
import { SelectBox } from "../parts/select-box.ts";
import { useResource } from "../state/resource.ts";
import { addressOf, currentRoute } from "../state/route.ts";
import { createSelection, type Selection } from "../state/selection.ts";
import { changeMany, isStored } from "../state/server.ts";
import { showBatch } from "../state/toast.ts";
import { FILTERS, filterTopics, NO_FILTERS, SORTS, type TopicFilters } from "./topic-filters.ts";
import { TopicPage } from "./topic.ts";
import { NewTopic } from "./topic-editor.ts";

/** The list of topics, and next to it the one that is open. */
export function TopicsPage(): View {
  const [, scope, slug] = currentRoute.value.pieces;
  const isNew = scope === "new";
  const isOpen = isNew || (scope !== undefined && slug !== undefined);
  return html`<div class=${isOpen ? "split is-open" : "split"}>
    <div class="list"><${TopicList} open=${isOpen ? `${scope}/${slug}` : ""} /></div>
    <div class="detail">
      ${
        isNew
          ? html`<${NewTopic} />`
          : isOpen
            ? html`<${TopicPage} key=${`${scope}/${slug}`} scope=${scope} slug=${slug} />`
            : html`<p class="hint">
                Open a topic to read it. <kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd>
              </p>`
      }
    </div>
  </div>`;
}

/** More rows would only make the page slow: no one reads thousands. */
const PAGE_ROWS = 200;

/** Rows of a longer list are drawn when they are scrolled to. */
const LONG = 100;

/** What the user chose. It stays while the user reads a topic or looks at another view. */
interface ListState {
  readonly filters: Signal<TopicFilters>;
  readonly shownRows: Signal<number>;
  readonly selection: Selection;
}

/** Of each project, as it is looked at first. */
const states = new Map<string, ListState>();

function listState(): ListState {
  const { project } = currentRoute.value;
  const known = states.get(project);
  if (known !== undefined) return known;
  const filters = signal(NO_FILTERS);
  const state = { filters, shownRows: signal(PAGE_ROWS), selection: createSelection() };
  states.set(project, state);
  return state;
}

function TopicList({ open }: { readonly open: string }): View {
  const topics = useResource<{ readonly rows: readonly TopicRow[] }>("topics");
  return html`<${Filters} />
    ${loaded(topics, ({ rows }) => html`<${FoundTopics} rows=${rows} open=${open} />`)}`;
}

function Filters(): View {
  const { filters, shownRows } = listState();
  const { value } = filters;
  const set =
    (key: keyof TopicFilters) =>
    (event: Event): void => {
      shownRows.value = PAGE_ROWS;
      filters.value = { ...filters.value, [key]: fieldValue(event) };
    };
  const active = FILTERS.filter(({ key }) => value[key] !== NO_FILTERS[key]).length;
  return html`<form
    class="filters"
    role="search"
    onSubmit=${(event: Event) => event.preventDefault()}
  >
    <label class="wide"
      >Search <input data-search type="search" value=${value.text} onInput=${set("text")}
    /></label>
    <${Choice} label="Sort" choices=${SORTS} value=${value.sort} onChange=${set("sort")} />
    ${!isStored && html`<a class="button primary" data-key="n" href=${addressOf("topics", "new")}>New topic <kbd>n</kbd></a>`}
    <details open=${active > 0}>
      <summary>Filters${active > 0 && html` <span class="badge">${active}</span>`}</summary>
      <div class="filters">
        ${FILTERS.map(({ key, label, choices }) => html`<${Choice} label=${label} choices=${choices} value=${value[key]} onChange=${set(key)} />`)}
        ${active > 0 && html`<button type="button" class="plain" onClick=${() => (filters.value = { ...NO_FILTERS, text: value.text, sort: value.sort })}>Clear filters</button>`}
      </div>
    </details>
  </form>`;
}

function FoundTopics({
  rows,
  open,
}: {
  readonly rows: readonly TopicRow[];
  readonly open: string;
}): View {
  const { filters, shownRows } = listState();
  const wanted = filters.value;
  const found = useMemo(() => filterTopics(rows, wanted, Date.now()), [rows, wanted]);
  const more = found.length - shownRows.value;
  if (rows.length === 0)
    return html`<div class="empty card">
      <h2>No topics yet</h2>
      <p>
        Topics are what the agent remembers: it writes them while you work, and you can write them
        yourself.
      </p>
    </div>`;
  return html`<p class="quiet" role="status">
      ${count(found.length)} of ${countOf(rows.length, "topic")}
    </p>
    <${SelectedTopics} rows=${found} />
    ${
      found.length === 0
        ? html`<p class="empty card">No topic matches. Try fewer words or filters.</p>`
        : html`<ul class=${found.length > LONG ? "rows card long" : "rows card"}>
            ${found.slice(0, shownRows.value).map((row) => {
              const key = keyOf(row);
              return html`<${TopicLine} key=${key} row=${row} isOpen=${key === open} />`;
            })}
          </ul>`
    }
    ${more > 0 && html`<button type="button" onClick=${() => (shownRows.value += PAGE_ROWS)}>Show more (${count(more)} left)</button>`}`;
}

function keyOf({ scope, slug }: TopicRow): string {
  return `${scope}/${slug}`;
}

/** What can be done with several topics at once. */
function SelectedTopics({ rows }: { readonly rows: readonly TopicRow[] }): View {
  const { selection, shownRows } = listState();
  const chosen = selection.keys.value;
  if (chosen.size === 0) return null;
  const selected = rows.filter((row) => chosen.has(keyOf(row)));
  // What a filter hides is not changed.
  if (selected.length === 0) return null;
  const run = async (path: string, verb: string): Promise<void> => {
    const items = selected.map(({ scope, slug, updatedMs }) => ({
      scope,
      id: slug,
      seenMs: updatedMs,
    }));
    if (showBatch(verb, "topic", await changeMany(path, items))) selection.clear();
  };
  return html`<div class="selected card" role="group" aria-label="Selected topics">
    <strong>${selected.length} selected</strong>
    <button
      type="button"
      class="plain"
      onClick=${() => selection.set(rows.slice(0, shownRows.value).map(keyOf))}
    >
      Select all shown
    </button>
    <button type="button" class="plain" onClick=${selection.clear}>Clear</button>
    <button type="button" data-key="V" onClick=${() => void run("topics/move", "moved")}>
      Move to the other scope <kbd>V</kbd>
    </button>
    <button
      type="button"
      class="danger"
      data-key="D"
      onClick=${() => void run("topics/remove", "deleted")}
    >
      Delete <kbd>D</kbd>
    </button>
  </div>`;
}

function Choice({
  label,
  choices,
  value,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly string[];
  readonly value: string;
  readonly onChange: (event: Event) => void;
}): View {
  return html`<label
    >${label}
    <select value=${value} onChange=${onChange}>
      ${choices.map((choice) => html`<option value=${choice}>${choice}</option>`)}
    </select>
  </label>`;
}

function TopicLine({ row, isOpen }: { readonly row: TopicRow; readonly isOpen: boolean }): View {
  const { scope, slug, description, type, updatedMs, origin, evidence, uses } = row;
  const isDoubtful = evidence !== "none" && evidence !== "ok";
  return html`<li>
    <${SelectBox} selection=${listState().selection} rowKey=${keyOf(row)} name=${slug} />
    <a
      data-row
      aria-current=${isOpen ? "true" : undefined}
      href=${addressOf("topics", scope, slug)}
    >
      <strong>${line(slug)}</strong> <span>${line(description)}</span>
      <small>
        <span class=${`tag type-${type ?? "none"}`}>${type ?? "untyped"}</span>
        ${scope === "user" && html`<span class="tag">yours</span>`}
        ${isDoubtful && html`<span class="tag warn">evidence ${evidence}</span>`}
        ${inLine([age(updatedMs), origin === undefined ? "" : `from ${origin}`, uses > 0 && `used ${uses}×`])}
      </small>
    </a>
  </li>`;
}
