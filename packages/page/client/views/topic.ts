import { useState } from "preact/hooks";
import type { TopicView } from "../../src/view/topic-view.ts";
import { html, type View } from "../html.ts";
import { Facts } from "../parts/facts.ts";
import { fieldValue } from "../parts/field-value.ts";
import { loaded } from "../parts/loaded.ts";
import { Markdown } from "../parts/markdown.ts";
import { line } from "../parts/safe-text.ts";
import { shortTime } from "../parts/time.ts";
import { type Draft, draftOf } from "../state/drafts.ts";
import { useResource } from "../state/resource.ts";
import { addressOf, goTo } from "../state/route.ts";
import { change, isStored } from "../state/server.ts";
import { showOutcome } from "../state/toast.ts";
import { TopicEditor } from "./topic-editor.ts";

interface Address {
  readonly scope: string;
  readonly slug: string;
}

/** One topic: read, edit, rename, move, delete. */
export function TopicPage({ scope, slug }: Address): View {
  const query = `scope=${encodeURIComponent(scope)}&slug=${encodeURIComponent(slug)}`;
  const topic = useResource<TopicView>(`topic?${query}`);
  const [edited, setEdited] = useState<Draft | undefined>(draftOf(scope, slug));
  return html`<p>
      <a href="#/topics" data-key="b">All topics <kbd>b</kbd></a>
    </p>
    ${
      edited === undefined
        ? loaded(
            topic,
            (view) =>
              html`<${ReadTopic}
                topic=${view}
                onEdit=${() => setEdited({ text: view.text, base: view.hash })}
              />`,
          )
        : html`<${TopicEditor}
            scope=${scope}
            slug=${slug}
            draft=${edited}
            onClose=${() => setEdited(undefined)}
          />`
    }`;
}

function ReadTopic({
  topic,
  onEdit,
}: {
  readonly topic: TopicView;
  readonly onEdit: () => void;
}): View {
  const { scope, slug, description, type, body, facts, problems, updatedMs } = topic;
  return html`<article>
    <h2>${line(slug)}</h2>
    <p>${line(description)}</p>
    <p class="quiet">
      ${type ?? "untyped"}, ${scope === "user" ? "yours, in every project" : "this project"},
      changed ${shortTime(updatedMs)}
    </p>
    ${problems.map((problem) => html`<p class="problem">${line(problem)}</p>`)}
    ${!isStored && html`<${Actions} topic=${topic} onEdit=${onEdit} />`}
    <${Facts} facts=${facts} />
    <${Markdown} text=${body} scope=${scope} />
  </article>`;
}

function Actions({
  topic,
  onEdit,
}: {
  readonly topic: TopicView;
  readonly onEdit: () => void;
}): View {
  const { scope, slug, hash } = topic;
  const [to, setTo] = useState<string>();
  const run = async (path: string, more: object, next: (slug: string) => string): Promise<void> => {
    const outcome = await change(path, { scope, slug, ...more });
    if (showOutcome(scope, outcome))
      goTo(next(outcome.kind === "done" ? (outcome.slug ?? slug) : slug));
  };
  const other = scope === "user" ? "project" : "user";
  return html`<div class="actions">
    <button type="button" data-key="e" onClick=${onEdit}>Edit <kbd>e</kbd></button>
    <button type="button" data-key="r" onClick=${() => setTo(slug)}>Rename <kbd>r</kbd></button>
    <button
      type="button"
      data-key="v"
      onClick=${() => void run("topic/move", {}, (name) => addressOf("topics", other, name))}
    >
      Move to ${other === "user" ? "your own memory" : "this project"} <kbd>v</kbd>
    </button>
    <button
      type="button"
      data-key="d"
      onClick=${() => void run("topic/remove", { ifMatch: hash }, () => "#/topics")}
    >
      Delete <kbd>d</kbd>
    </button>
    ${
      to !== undefined &&
      html`<form
        onSubmit=${(event: Event) => {
          event.preventDefault();
          setTo(undefined);
          void run("topic/rename", { to }, (name) => addressOf("topics", scope, name));
        }}
      >
        <label
          >New name
          <input value=${to} ref=${focusOnce} onInput=${(event: Event) => setTo(fieldValue(event))}
        /></label>
        <button>Rename</button>
        <button type="button" onClick=${() => setTo(undefined)}>Cancel</button>
      </form>`
    }
  </div>`;
}

/** Focuses a field when it appears. */
function focusOnce(field: HTMLElement | null): void {
  if (field !== null && field.dataset["seen"] === undefined) {
    field.dataset["seen"] = "";
    field.focus();
  }
}
