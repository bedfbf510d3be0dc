/** The version of MCP Apps that the script speaks. */
const APPS_VERSION = "2026-01-26";

/**
 * Runs in the frame in which a client shows the page: introduces the page, and tells its height. It asks for nothing, and
 * answers only the window around it.
 */
export const APP_HOST_SCRIPT: string = `
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const tellSize = () => {
  const { scrollHeight: height, scrollWidth: width } = document.documentElement;
  send({ method: "ui/notifications/size-changed", params: { width, height } });
};
addEventListener("message", ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== "2.0") return;
  if (data.id === "initialize" && data.method === undefined) {
    send({ method: "ui/notifications/initialized", params: {} });
    new ResizeObserver(tellSize).observe(document.documentElement);
  } else if (data.id !== undefined && (data.method === "ping" || data.method === "ui/resource-teardown"))
    send({ id: data.id, result: {} });
});
// The base address of a document in a frame is that of the window around it, so a link would lead away from the page.
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (!link || event.defaultPrevented) return;
  event.preventDefault();
  location.hash = link.getAttribute("href");
});
if (parent !== window)
  send({
    id: "initialize",
    method: "ui/initialize",
    params: {
      appInfo: { name: "caliban memory", version: "1" },
      appCapabilities: {},
      protocolVersion: "${APPS_VERSION}",
    },
  });
`;
