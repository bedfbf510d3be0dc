import { useState } from "preact/hooks";
import type { SearchHit, SearchView } from "../../src/view/search-view.ts";
import { html, type View } from "../html.ts";
import { fieldValue } from "../parts/field-value.ts";
import { loaded } from "../parts/loaded.ts";
import { line } from "../parts/safe-text.ts";
import { age } from "../parts/time.ts";
import { useResource } from "../state/resource.ts";
import { addressOf, currentRoute, goTo } from "../state/route.ts";

/** Searches, and shows what decides the rank; and which note a path or a command would get. */
export function SearchPage(): View {
  const { query } = currentRoute.value;
  const [words, path, command] = ["q", "path", "command"].map((name) => query.get(name) ?? "");
  return html`<${Field} name="q" label="Search memory" value=${words} isMain />
    ${words !== "" && html`<${Hits} words=${words} />`}
    <h2>Notes</h2>
    <p class="quiet">Which memory an agent gets with the result of a call.</p>
    <${Field}
      name="path"
      label="A file it reads or changes, such as src/db/pool.ts"
      value=${path}
    />
    <${Field} name="command" label="A command it runs, such as npm install" value=${command} />
    ${path !== "" && html`<${FoundNote} query=${`path=${encodeURIComponent(path ?? "")}`} />`}
    ${command !== "" && html`<${FoundNote} query=${`command=${encodeURIComponent(command ?? "")}`} />`}`;
}

interface FieldInput {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly isMain?: boolean;
}

function Field({ name, label, value, isMain = false }: FieldInput): View {
  const [text, setText] = useState(value);
  return html`<form
    class="filters"
    role="search"
    aria-label=${label}
    onSubmit=${(event: Event) => {
      event.preventDefault();
      goTo(`#/search?${new URLSearchParams({ [name]: text })}`);
    }}
  >
    <label class="wide"
      >${label}
      <input
        type="search"
        data-search=${isMain}
        value=${text}
        onInput=${(event: Event) => setText(fieldValue(event))}
    /></label>
    <button>${isMain ? "Search" : "Find the note"}</button>
  </form>`;
}

function Hits({ words }: { readonly words: string }): View {
  const found = useResource<SearchView>(`search?q=${encodeURIComponent(words)}`);
  return loaded(
    found,
    ({ hits, notes }) =>
      html`${hits.length === 0 && html`<p role="status">Nothing found. Try other or fewer words.</p>`}
        <ol class="hits">
          ${hits.map((hit) => html`<${Hit} hit=${hit} />`)}
        </ol>
        ${notes.map((note) => html`<p class="quiet">${line(note)}</p>`)}`,
  );
}

function Hit({ hit }: { readonly hit: SearchHit }): View {
  const { title, topic, kind, score, updatedMs, snippets, why } = hit;
  const about = `${kind}, score ${score.toFixed(2)}${updatedMs === undefined ? "" : `, ${age(updatedMs)}`}`;
  return html`<li>
    <h3>
      ${topic === undefined ? line(title) : html`<a data-row href=${addressOf("topics", topic.scope, topic.slug)}>${line(title)}</a>`}
      ${" "}<small>${about}</small>
    </h3>
    ${snippets.map(({ text, marks }) => html`<p class="snippet">${marked(text, marks)}</p>`)}
    <table class="why">
      <caption class="hidden">
        Parts of the score
      </caption>
      <tbody>
        ${why.map(
          ({ label, score: part }) =>
            html`<tr>
              <th scope="row">${line(label)}</th>
              <td class="number">${part.toFixed(2)}</td>
              <td>
                <meter
                  min="0"
                  max=${Math.max(score, 0.001)}
                  value=${Math.max(0, part)}
                  aria-label=${line(label)}
                ></meter>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </li>`;
}

function marked(text: string, marks: readonly (readonly [number, number])[]): readonly View[] {
  let end = 0;
  const pieces = marks.flatMap(([start, stop]) => {
    const before = line(text.slice(end, start));
    end = stop;
    return [before, html`<mark>${line(text.slice(start, stop))}</mark>`];
  });
  return [...pieces, line(text.slice(end))];
}

interface NoteAnswer {
  readonly note: {
    readonly text: string;
    readonly address: string;
    readonly was?: string;
    readonly match: string;
    readonly score: number;
    readonly terms: readonly string[];
  } | null;
}

function FoundNote({ query }: { readonly query: string }): View {
  const found = useResource<NoteAnswer>(`note?${query}`);
  return loaded(found, ({ note }) =>
    note === null
      ? html`<p role="status">No note: nothing in memory applies to it.</p>`
      : html`<section class="panel" role="status">
          <blockquote>${line(note.text)}</blockquote>
          ${note.was !== undefined && html`<p class="quiet">before: ${line(note.was)}</p>`}
          <p class="quiet">
            ${line(note.address)},
            ${note.match === "applies" ? "because the topic applies to it" : `because of the words ${note.terms.map(line).join(", ")}`}
          </p>
        </section>`,
  );
}
