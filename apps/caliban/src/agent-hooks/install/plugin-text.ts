/** The first line of a file that caliban has written. */
export const PLUGIN_MARK = "// Written by `caliban hook install";

/** A plugin of opencode: it asks caliban for notes, and appends them to messages and results. */
export function opencodePlugin(command: readonly string[]): string {
  return `${header("opencode")}
${runFunction(command)}
export const CalibanMemory = async ({ directory }) => {
  const inputs = new Map();
  return {
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const prompt = parts
        .filter((part) => part.type === "text" && part.synthetic !== true)
        .map((part) => part.text)
        .join("\\n");
      const text = await ask({ hook_event_name: "UserPromptSubmit", session_id: sessionID, cwd: directory, prompt });
      if (text === undefined) return;
      const id = \`prt_\${Date.now().toString(16).padStart(12, "0")}caliban0000000\`;
      parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true });
    },
    "tool.execute.before": async ({ callID }, { args }) => {
      inputs.set(callID, args);
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const tool_input = args ?? inputs.get(callID) ?? {};
      inputs.delete(callID);
      const text = await ask({
        hook_event_name: "PostToolUse",
        session_id: sessionID,
        cwd: directory,
        tool_name: tool,
        tool_input,
        tool_response: output.output,
      });
      if (text !== undefined) output.output = \`\${output.output}\\n\\n\${text}\`;
    },
    event: async ({ event }) => {
      if (event.type !== "session.compacted") return;
      const session_id = event.properties?.sessionID;
      await ask({ hook_event_name: "SessionStart", session_id, cwd: directory, source: "compact" });
    },
  };
};
`;
}

/** An extension of pi that does the same. */
export function piExtension(command: readonly string[]): string {
  return `${header("pi")}
${runFunction(command)}
export default function (pi) {
  const common = (ctx) => ({ session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd });
  pi.on("before_agent_start", async (event, ctx) => {
    const text = await ask({ hook_event_name: "UserPromptSubmit", ...common(ctx), prompt: event.prompt });
    if (text === undefined) return undefined;
    return { message: { customType: "caliban-memory", content: text, display: true } };
  });
  pi.on("tool_result", async (event, ctx) => {
    const text = await ask({
      hook_event_name: event.isError ? "PostToolUseFailure" : "PostToolUse",
      ...common(ctx),
      tool_name: event.toolName,
      tool_input: event.input,
      tool_response: event.content,
    });
    if (text === undefined) return undefined;
    return { content: [...event.content, { type: "text", text }] };
  });
  pi.on("session_compact", async (_event, ctx) => {
    await ask({ hook_event_name: "SessionStart", ...common(ctx), source: "compact" });
  });
}
`;
}

function header(agent: string): string {
  return `${PLUGIN_MARK} ${agent}\`; remove it with \`caliban hook uninstall ${agent}\`.
// Brings the notes of caliban's memory to ${agent}. Without caliban, it does nothing.
import { spawn } from "node:child_process";
`;
}

/** Resolves to the text for the model, or to nothing: a problem of caliban must not become one of the agent. */
function runFunction([program = "", ...args]: readonly string[]): string {
  return `const PROGRAM = ${JSON.stringify(program)};
const ARGS = ${JSON.stringify(args)};
const MAX_MS = 5000;

function ask(event) {
  return new Promise((resolve) => {
    const child = spawn(PROGRAM, ARGS, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    const chunks = [];
    const end = (text) => {
      clearTimeout(timer);
      resolve(text);
    };
    const timer = setTimeout(() => {
      child.kill();
      end(undefined);
    }, MAX_MS);
    child.on("error", () => end(undefined));
    child.stdin.on("error", () => undefined);
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.on("close", () => {
      try {
        end(JSON.parse(Buffer.concat(chunks).toString()).hookSpecificOutput.additionalContext);
      } catch {
        end(undefined);
      }
    });
    child.stdin.end(JSON.stringify(event));
  });
}
`;
}
