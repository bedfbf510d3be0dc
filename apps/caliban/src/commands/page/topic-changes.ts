import type { TopicStore } from "@caliban/memory";
import type { ChangeOutcome, MemoryPageData } from "@caliban/page";
import { EXIT } from "../../exit-code.ts";
import { openTopicsForWriting, USER } from "../memory/topics/open-topics.ts";
import type { PageContext } from "./page-context.ts";
import { orRefused, refused } from "./or-refused.ts";
import { inScope } from "./scoped-invocation.ts";

type Changes = Pick<MemoryPageData, "save" | "rename" | "move" | "remove" | "undo">;

/** Changes topics in the name of the user. */
export function createTopicChanges({ invocation, forget }: PageContext): Changes {
  const open = async (scope: "project" | "user"): Promise<TopicStore> =>
    (await openTopicsForWriting(inScope(invocation, scope))).store;
  return {
    save: async ({ scope, slug, text, ifMatch }) => {
      const result = await (await open(scope)).edit({ name: slug, text, ifMatch, author: USER });
      forget();
      if (result.kind === "conflict") return { kind: "conflict", current: result.current };
      if (result.kind === "missing") return { kind: "conflict", current: undefined };
      if (result.kind === "unchanged") return done(`${result.slug} was not changed`);
      const { warning, change } = result;
      const message = `saved ${result.slug}${warning === undefined ? "" : `. ${warning}`}`;
      return { kind: "done", message, change, slug: result.slug };
    },
    rename: async ({ scope, slug, to }) => {
      const result = await (await open(scope)).rename({ from: slug, to, author: USER });
      forget();
      if (result.kind === "missing") return missing(slug);
      if (result.kind === "conflict")
        return refused(`a topic ${to} already exists; remove it first, or choose another name`);
      const { relinked, change } = result;
      const links = relinked.length === 0 ? "" : `, and the links in ${relinked.join(", ")}`;
      return {
        kind: "done",
        message: `renamed ${slug} to ${result.slug}${links}`,
        change,
        slug: result.slug,
      };
    },
    move: orRefused(invocation.host, async ({ scope, slug }) => {
      const { moveTopic } = await import("../memory/topics/move.ts");
      const options = { to: scope === "user" ? "project" : "user" };
      const moved = await moveTopic({ ...invocation, operands: [slug], json: false, options });
      forget();
      if (moved.exitCode !== EXIT.done) return refused((moved.stderr ?? []).join("\n"));
      return { kind: "done", message: moved.stdout.trim(), slug };
    }),
    remove: orRefused(invocation.host, async ({ scope, slug, ifMatch }) => {
      const result = await (await open(scope)).remove({ name: slug, ifMatch, author: USER });
      forget();
      if (result.kind === "missing") return missing(slug);
      if (result.kind === "conflict") return { kind: "conflict", current: result.current };
      return { kind: "done", message: `deleted ${slug}`, change: result.change };
    }),
    undo: orRefused(invocation.host, async ({ scope, id }) => {
      const { undone, files, change } = await (await open(scope)).undo({ id, author: USER });
      forget();
      const names = files.map(({ slug }) => slug).join(", ");
      return { kind: "done", message: `undid ${undone.action} of ${names}`, change };
    }),
  };
}

function done(message: string): ChangeOutcome {
  return { kind: "done", message };
}

function missing(slug: string): ChangeOutcome {
  return refused(`topic ${slug} no longer exists`);
}
