import { useState } from "preact/hooks";
import type { TopicDetailsView, TopicView } from "../../src/view/topic-view.ts";
import { html, type View } from "../html.ts";
import { Facts } from "../parts/facts.ts";
import { fieldValue } from "../parts/field-value.ts";
import { age, countOf, shortTime } from "../parts/format.ts";
import { loaded } from "../parts/loaded.ts";
import { Markdown } from "../parts/markdown.ts";
import { line } from "../parts/safe-text.ts";
import { type Draft, draftOf } from "../state/drafts.ts";
import { useResource } from "../state/resource.ts";
import { addressOf, goTo } from "../state/route.ts";
import { change, isFailure, isStored } from "../state/server.ts";
import { showOutcome } from "../state/toast.ts";
import { LinkGraphView } from "./link-graph.ts";
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
  if (edited !== undefined)
    return html`<${TopicEditor}
      scope=${scope}
      slug=${slug}
      draft=${edited}
      onClose=${() => setEdited(undefined)}
    />`;
  return html`<article class="card">
    <${CloseLink} />
    ${loaded(
      topic,
      (view) =>
        html`<${ReadTopic}
          topic=${view}
          onEdit=${() => setEdited({ text: view.text, base: view.hash })}
        />`,
    )}
  </article>`;
}

/** Leads back to the list, which a narrow screen hides. */
function CloseLink(): View {
  return html`<a class="close" href=${addressOf("topics")} data-key="b"
    >All topics <kbd>b</kbd></a
  >`;
}

function ReadTopic({
  topic,
  onEdit,
}: {
  readonly topic: TopicView;
  readonly onEdit: () => void;
}): View {
  const { scope, slug, description, type, body, facts, problems, updatedMs } = topic;
  return html`<h2>${line(slug)}</h2>
    <p class="lead">${line(description)}</p>
    <p class="quiet">
      <span class=${`tag type-${type ?? "none"}`}>${type ?? "untyped"}</span>${" "}
      ${scope === "user" ? "yours, in every project" : "this project"}, changed
      ${" "}${shortTime(updatedMs)}
    </p>
    ${problems.map((problem) => html`<p class="problem">${line(problem)}</p>`)}
    ${!isStored && html`<${Actions} topic=${topic} onEdit=${onEdit} />`}
    <${Markdown} text=${body} scope=${scope} />
    <${Details} scope=${scope} slug=${slug} facts=${facts} />`;
}

function Details({ scope, slug, facts }: Address & Pick<TopicView, "facts">): View {
  const query = `scope=${encodeURIComponent(scope)}&slug=${encodeURIComponent(slug)}`;
  const details = useResource<TopicDetailsView>(`topic/details?${query}`);
  if (details === undefined || isFailure(details))
    return html`<h3>Details</h3>
      <${Facts} facts=${facts} />`;
  const { use, evidence, graph } = details;
  return html`<h3>Details</h3>
    <${Facts} facts=${[...facts, ["used", useText(use)]]} />
    ${evidence.map(
      ({ path, state }) =>
        html`<p class="evidence">
          <span class=${state === "ok" ? "tag good" : "tag warn"}>${state}</span> ${line(path)}
          ${state !== "ok" && html`<span class="quiet">${STATES[state]}</span>`}
        </p>`,
    )}
    <${LinkGraphView} scope=${scope} slug=${slug} graph=${graph} />`;
}

const STATES = {
  moved: "The file that supports this topic is somewhere else now.",
  changed: "The line that supports this topic is no longer in the file.",
  gone: "The file that supports this topic is gone.",
} as const;

function useText(use: TopicDetailsView["use"]): string {
  if (use === null) return "not by a session yet";
  const { shown, followed, ignored, read, found, lastMs } = use;
  const parts = [
    shown > 0 && `shown ${countOf(shown, "time")}`,
    followed > 0 && `followed ${countOf(followed, "time")}`,
    ignored > 0 && `ignored ${countOf(ignored, "time")}`,
    read > 0 && `read ${countOf(read, "time")}`,
    found > 0 && `found ${countOf(found, "time")}`,
  ];
  return `${parts.filter((part) => part !== false).join(", ")}; last ${age(lastMs)}`;
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
    <button type="button" class="primary" data-key="e" onClick=${onEdit}>Edit <kbd>e</kbd></button>
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
      class="danger"
      data-key="d"
      onClick=${() => void run("topic/remove", { ifMatch: hash }, () => addressOf("topics"))}
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
        <label class="wide"
          >New name
          <input value=${to} ref=${focusOnce} onInput=${(event: Event) => setTo(fieldValue(event))}
        /></label>
        <button class="primary">Rename</button>
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
