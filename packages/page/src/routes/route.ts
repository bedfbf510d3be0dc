import type { MemoryPageData } from "../data.ts";
import { CHANGE_ROUTES } from "./change-routes.ts";
import { type PageAnswer, type PageRequest, problem } from "./page-request.ts";
import { READ_ROUTES } from "./read-routes.ts";

/** Answers a request from the data. A GET changes nothing. */
export async function route(request: PageRequest, data: MemoryPageData): Promise<PageAnswer> {
  const { method, path } = request;
  const routes = method === "GET" ? READ_ROUTES : CHANGE_ROUTES;
  const handle = routes.get(path);
  if (handle !== undefined) return await handle(request, data);
  const isOther = (method === "GET" ? CHANGE_ROUTES : READ_ROUTES).has(path);
  return isOther
    ? problem(405, `use another method for ${path}`)
    : problem(404, `no such path: ${path}`);
}
