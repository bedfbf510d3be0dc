import { expect, it } from "vitest";
import { routeProject } from "../../src/routes/route-project.ts";
import { memoryData, projectsOf, topicText, withGenerations } from "../memory-data.ts";

const get = (path: string, query = {}) => ({ method: "GET", path, query }) as const;

it("answers about the project that a path names, and about the current one without a name", async () => {
  const [one, other] = [memoryData(), memoryData()];
  const projects = projectsOf({ a1: one, b2: other }, true);
  const text = topicText("Where it runs", "In two regions.");
  const body = { slug: "hosting", text };
  await routeProject({ method: "POST", path: "@b2/topic/save", query: {}, body }, projects);
  expect((await routeProject(get("topics"), projects)).body).toEqual({ rows: [] });
  expect((await routeProject(get("@b2/topics"), projects)).body).toMatchObject({
    rows: [{ slug: "hosting" }],
  });
  expect((await routeProject(get("projects"), projects)).body).toMatchObject({
    isAll: true,
    rows: [{ id: "a1", isCurrent: true }, { id: "b2" }],
  });
});

it.for([
  ["an unknown project", get("@c3/topics"), 404],
  ["a path in place of an id", get("@../topics"), 404],
  ["a name of every object", get("@constructor/topics"), 404],
  ["a list that is changed", { method: "POST", path: "projects", query: {}, body: {} }, 405],
] as const)("refuses %s", async ([, request, status]) => {
  const projects = projectsOf({ a1: memoryData() });
  expect((await routeProject(request, projects)).status).toBe(status);
});

it("puts generations into the timeline, and goes back from the current one only", async () => {
  const data = withGenerations(memoryData());
  const projects = projectsOf({ a1: data });
  const { body } = await routeProject(get("changes"), projects);
  expect(body).toMatchObject({
    rows: [
      { scope: "learned", id: "2", canUndo: true },
      { scope: "learned", id: "1", canUndo: false },
    ],
  });
  expect((await routeProject(get("generation", { id: "2" }), projects)).body).toMatchObject({
    previous: 1,
    files: [
      {
        path: "MEMORY.md",
        text: "- generation 2\n",
        diff: [{ kind: "removed" }, { kind: "added", text: "- generation 2" }],
      },
    ],
  });
  expect((await routeProject(get("generation", { id: "3" }), projects)).status).toBe(404);
  const undo = (id: string) =>
    routeProject({ method: "POST", path: "generation/undo", query: {}, body: { id } }, projects);
  expect((await undo("x")).status).toBe(400);
  expect((await undo("2")).status).toBe(200);
  expect(data.calls).toEqual(["undo generation 2"]);
});
