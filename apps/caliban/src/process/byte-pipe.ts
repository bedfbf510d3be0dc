// A file of its own, so that the pipe is loaded without the rest of the package.
export { createBytePipe } from "@caliban/mcp/node";
