import { useState } from "preact/hooks";
import type { TopicRow } from "../../src/view/topic-view.ts";
import { html, type View } from "../html.ts";
import { fieldValue } from "../parts/field-value.ts";
import { loaded } from "../parts/loaded.ts";
import { line } from "../parts/safe-text.ts";
import { age } from "../parts/time.ts";
import { useResource } from "../state/resource.ts";
import { addressOf, currentRoute } from "../state/route.ts";
import { isStored } from "../state/server.ts";
import { FILTERS, filterTopics, NO_FILTERS, SORTS, type TopicFilters } from "./topic-filters.ts";
import { TopicPage } from "./topic.ts";
import { NewTopic } from "./topic-editor.ts";

/** The list of topics, or one of them. */
export function TopicsPage(): View {
  const [, scope, slug] = currentRoute.value.pieces;
  if (scope === "new") return html`<${NewTopic} />`;
  if (scope !== undefined && slug !== undefined)
    return html`<${TopicPage} key=${`${scope}/${slug}`} scope=${scope} slug=${slug} />`;
  return html`<${TopicList} />`;
}

/** More rows would only make the page slow: no one reads thousands. */
const PAGE_ROWS = 200;

/** On a phone the filters would hide the topics. */
const isWide = matchMedia("(min-width: 700px)").matches;

function TopicList(): View {
  const topics = useResource<{ readonly rows: readonly TopicRow[] }>("topics");
  const [filters, setFilters] = useState<TopicFilters>(NO_FILTERS);
  const [shown, setShown] = useState(PAGE_ROWS);
  const set = (key: keyof TopicFilters) => (event: Event) => {
    setShown(PAGE_ROWS);
    setFilters({ ...filters, [key]: fieldValue(event) });
  };
  return html`<form
      class="filters"
      role="search"
      onSubmit=${(event: Event) => event.preventDefault()}
    >
      <label
        >Search <input data-search type="search" value=${filters.text} onInput=${set("text")}
      /></label>
      <${Choice} label="Sort" choices=${SORTS} value=${filters.sort} onChange=${set("sort")} />
      ${!isStored && html`<a class="button" data-key="n" href=${addressOf("topics", "new")}>New topic <kbd>n</kbd></a>`}
      <details open=${isWide}>
        <summary>Filters</summary>
        <div class="filters">
          ${FILTERS.map(({ key, label, choices }) => html`<${Choice} label=${label} choices=${choices} value=${filters[key]} onChange=${set(key)} />`)}
        </div>
      </details>
    </form>
    ${loaded(topics, ({ rows }) => {
      const found = filterTopics(rows, filters, Date.now());
      const more = found.length - shown;
      return html`<p class="quiet" role="status">${found.length} of ${rows.length} topics</p>
        <ul class="rows">
          ${found.slice(0, shown).map((row) => html`<${TopicLine} key=${`${row.scope}/${row.slug}`} row=${row} />`)}
        </ul>
        ${more > 0 && html`<button type="button" onClick=${() => setShown(shown + PAGE_ROWS)}>Show more (${more} left)</button>`}`;
    })}`;
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

function TopicLine({ row }: { readonly row: TopicRow }): View {
  const { scope, slug, description, type, updatedMs, origin, evidence, uses } = row;
  return html`<li>
    <a data-row href=${addressOf("topics", scope, slug)}>
      <strong>${line(slug)}</strong> <span>${line(description)}</span>
      <small
        >${[type ?? "untyped", scope === "user" ? "yours" : "project", age(updatedMs), origin ?? "", evidence === "changed" ? "evidence changed" : "", `used ${uses}×`].filter((text) => text !== "").join(" · ")}</small
      >
    </a>
  </li>`;
}
