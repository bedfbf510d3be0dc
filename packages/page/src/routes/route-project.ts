import type { PageProjects } from "../projects.ts";
import { answer, type PageAnswer, type PageRequest, problem } from "./page-request.ts";
import { route } from "./route.ts";

/** `@1f0c9a2b/topics`: a path below a project. */
const OF_PROJECT = /^@([0-9a-f]{1,64})\/(.*)$/s;

/** Answers a request about one of the projects: the one that its path names, or the current one. */
export async function routeProject(
  request: PageRequest,
  projects: PageProjects,
): Promise<PageAnswer> {
  const { method, path } = request;
  if (path === "projects")
    return method === "GET"
      ? answer({ isAll: projects.isAll, rows: await projects.list() })
      : problem(405, "use GET for projects");
  const [, id, rest = path] = OF_PROJECT.exec(path) ?? [];
  const data = await projects.open(id);
  return data === undefined
    ? problem(404, "no such project; its memory may have been removed")
    : await route({ ...request, path: rest }, data);
}
