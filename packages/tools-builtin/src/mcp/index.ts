export { createMcpTools, type McpToolResult, type McpTool, type McpTools } from "./mcp-tools.ts";
