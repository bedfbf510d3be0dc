import { useEffect, useState } from "preact/hooks";
import type { NoteView, SearchHit, SearchView } from "../../src/view/search-view.ts";
import { html, type View } from "../html.ts";
import { fieldValue } from "../parts/field-value.ts";
import { age, scoreText } from "../parts/format.ts";
import { loaded } from "../parts/loaded.ts";
import { line } from "../parts/safe-text.ts";
import { useResource } from "../state/resource.ts";
import { addressOf, currentRoute, goTo } from "../state/route.ts";

/** Searches, and shows what decides the rank; and which note a path or a command would get. */
export function SearchPage(): View {
  const { query } = currentRoute.value;
  const [words = "", path = "", command = ""] = ["q", "path", "command"].map(
    (name) => query.get(name) ?? "",
  );
  return html`<section class="card">
      <${Field} name="q" label="Search memory" button="Search" value=${words} isMain />
      ${words === "" && html`<p class="quiet">Searches topics, learned memory and past sessions as the agent does, and shows why each hit ranks where it does.</p>`}
    </section>
    ${words !== "" && html`<${Hits} words=${words} />`}
    <section class="card">
      <h2>What an agent is told</h2>
      <p class="quiet">
        When a tool reads a file or runs a command, the agent gets at most one note from memory.
      </p>
      <div class="columns">
        <${Field}
          name="path"
          label="A file it reads or changes"
          button="Find the note"
          placeholder="src/db/pool.ts"
          value=${path}
        />
        <${Field}
          name="command"
          label="A command it runs"
          button="Find the note"
          placeholder="npm install"
          value=${command}
        />
      </div>
      ${path !== "" && html`<${FoundNote} query=${`path=${encodeURIComponent(path)}`} />`}
      ${command !== "" && html`<${FoundNote} query=${`command=${encodeURIComponent(command)}`} />`}
    </section>`;
}

interface FieldInput {
  readonly name: string;
  readonly label: string;
  readonly button: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly isMain?: boolean;
}

function Field({ name, label, button, value, placeholder, isMain = false }: FieldInput): View {
  const [text, setText] = useState(value);
  // The address may change without this field, as with the back button.
  useEffect(() => setText(value), [value]);
  return html`<form
    class="filters"
    role="search"
    aria-label=${label}
    onSubmit=${(event: Event) => {
      event.preventDefault();
      goTo(`${addressOf("search")}?${new URLSearchParams({ [name]: text })}`);
    }}
  >
    <label class="wide"
      >${label}
      <input
        type="search"
        data-search=${isMain}
        placeholder=${placeholder}
        value=${text}
        onInput=${(event: Event) => setText(fieldValue(event))}
    /></label>
    <button class=${isMain ? "primary" : ""}>${button}</button>
  </form>`;
}

function Hits({ words }: { readonly words: string }): View {
  const found = useResource<SearchView>(`search?q=${encodeURIComponent(words)}`);
  return loaded(found, ({ hits, notes, searched }) => {
    const best = Math.max(0.001, ...hits.map(({ score }) => score));
    const { topics, sessions } = searched;
    return html`<p class="quiet" role="status">
        ${hits.length === 0 ? "Nothing found. Try other or fewer words." : `${hits.length} found`}
        ${` in ${topics} topics and ${sessions} sessions`}
      </p>
      ${notes.map((note) => html`<p class="quiet">${line(note)}</p>`)}
      <ol class="hits">
        ${hits.map((hit) => html`<${Hit} hit=${hit} best=${best} />`)}
      </ol>`;
  });
}

function Hit({ hit, best }: { readonly hit: SearchHit; readonly best: number }): View {
  const { title, topic, kind, score, updatedMs, snippets, why } = hit;
  return html`<li class="card">
    <h3>
      ${topic === undefined ? line(title) : html`<a data-row href=${addressOf("topics", topic.scope, topic.slug)}>${line(title)}</a>`}
    </h3>
    <p class="quiet">
      <span class="tag">${kind}</span>
      ${`score ${scoreText(score)}`}${updatedMs === undefined ? "" : `, ${age(updatedMs)}`}
    </p>
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
              <td class="number">${scoreText(part)}</td>
              <td class="bar">
                <meter
                  min="0"
                  max=${best}
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
  readonly note: NoteView | null;
  /** Why no call gets a note. */
  readonly off?: string;
}

function FoundNote({ query }: { readonly query: string }): View {
  const found = useResource<NoteAnswer>(`note?${query}`);
  return loaded(found, ({ note, off }) => {
    if (off !== undefined) return html`<p class="notice" role="status">${off}</p>`;
    if (note === null)
      return html`<p class="notice" role="status">No note: nothing in memory applies to it.</p>`;
    const { text, was, address, topic, match, terms } = note;
    const name = line(address);
    return html`<section class="note" role="status">
      <blockquote>${line(text)}</blockquote>
      ${was !== undefined && html`<p class="quiet">before: ${line(was)}</p>`}
      <p class="quiet">
        ${topic === undefined ? name : html`<a href=${addressOf("topics", topic.scope, topic.slug)}>${name}</a>`},${" "}
        ${match === "applies" ? "because the topic applies to it" : `because of the words ${terms.map(line).join(", ")}`}
      </p>
    </section>`;
  });
}
