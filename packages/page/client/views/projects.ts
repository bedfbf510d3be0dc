import { useState } from "preact/hooks";
import type { PageProject } from "../../src/projects.ts";
import { html, type View } from "../html.ts";
import { fieldValue } from "../parts/field-value.ts";
import { age, countOf } from "../parts/format.ts";
import { loaded } from "../parts/loaded.ts";
import { line } from "../parts/safe-text.ts";
import { inLine } from "../parts/scope-name.ts";
import type { KnownProjects } from "../project-switcher.ts";
import { useResource } from "../state/resource.ts";
import { projectAddress } from "../state/route.ts";

/** Every project with memory; the one that changed last comes first. */
export function ProjectsPage(): View {
  const projects = useResource<KnownProjects>("projects");
  const [text, setText] = useState("");
  return html`<form
      class="filters"
      role="search"
      onSubmit=${(event: Event) => event.preventDefault()}
    >
      <label class="wide"
        >Search
        <input
          data-search
          type="search"
          value=${text}
          onInput=${(event: Event) => setText(fieldValue(event))}
      /></label>
    </form>
    ${loaded(projects, ({ rows }) => {
      const found = rows.filter(({ path }) => path.toLowerCase().includes(text.toLowerCase()));
      return html`<p class="quiet" role="status">
          ${found.length} of ${countOf(rows.length, "project")}
        </p>
        <ul class="rows card">
          ${found.map((row) => html`<${ProjectLine} key=${row.id} row=${row} />`)}
        </ul>`;
    })}`;
}

function ProjectLine({ row }: { readonly row: PageProject }): View {
  const { id, path, isCurrent, topics, proposals, changedMs, problem } = row;
  const name = html`<strong>${line(path)}</strong
    >${isCurrent && html` <span class="tag">started here</span>`}
    ${proposals > 0 && html` <span class="tag warn">${proposals} waiting</span>`}`;
  if (problem !== undefined)
    return html`<li class="unavailable">
      <div tabindex="0" data-row>${name}<small>${line(problem)}</small></div>
    </li>`;
  const about = inLine([
    topics === 0 ? "no topics" : countOf(topics, "topic"),
    changedMs !== undefined && `changed ${age(changedMs)}`,
  ]);
  return html`<li>
    <a data-row href=${projectAddress(id, "topics")}>${name}<small>${about}</small></a>
  </li>`;
}
