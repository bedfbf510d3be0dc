import { execFile } from "node:child_process";
import type { Environment } from "@caliban/common";
import { errorCode } from "@caliban/common/node";

/** The bytes of the image in the clipboard, or why there are none. */
export type ClipboardImage = { readonly bytes: Uint8Array } | { readonly problem: string };

const TIMEOUT_MS = 5_000;
/** Clipboards hold uncompressed screenshots. Larger ones are refused in any case. */
const MAX_BYTES = 32 * 1024 * 1024;

interface ClipboardProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly isBase64?: boolean;
}

/** Asks the first program that is installed for the image in the clipboard. */
export async function readClipboardImage(input: {
  readonly env: Environment;
  readonly platform: string;
}): Promise<ClipboardImage> {
  const { programs, advice } = programsFor(input);
  for (const program of programs) {
    const found = await run(program, input.env);
    if (found === "missing") continue;
    return found === "empty" ? { problem: "The clipboard has no image" } : { bytes: found };
  }
  return { problem: advice };
}

const POWERSHELL_SCRIPT =
  "Add-Type -AssemblyName System.Windows.Forms,System.Drawing;" +
  "$i=[Windows.Forms.Clipboard]::GetImage();if($i){$m=New-Object IO.MemoryStream;" +
  "$i.Save($m,[Drawing.Imaging.ImageFormat]::Png);[Convert]::ToBase64String($m.ToArray())}";

const POWERSHELL: ClipboardProgram = {
  file: "powershell.exe",
  args: ["-NoProfile", "-NonInteractive", "-STA", "-Command", POWERSHELL_SCRIPT],
  isBase64: true,
};

function programsFor({ env, platform }: { readonly env: Environment; readonly platform: string }): {
  readonly programs: readonly ClipboardProgram[];
  readonly advice: string;
} {
  const paste = "Save the image and drop the file here, or name it after an @";
  if (platform === "win32") {
    return { programs: [POWERSHELL], advice: `powershell.exe was not found. ${paste}` };
  }
  if (platform === "darwin") {
    const programs = [{ file: "pngpaste", args: ["-"] }];
    return {
      programs,
      advice: `Install pngpaste to paste images (brew install pngpaste). ${paste}`,
    };
  }
  const wayland = { file: "wl-paste", args: ["--no-newline", "--type", "image/png"] };
  const x11 = { file: "xclip", args: ["-selection", "clipboard", "-t", "image/png", "-o"] };
  const programs = [
    ...(isSet(env, "WAYLAND_DISPLAY") ? [wayland] : []),
    ...(isSet(env, "DISPLAY") ? [x11] : []),
    ...(isSet(env, "WSL_DISTRO_NAME") ? [POWERSHELL] : []),
  ];
  if (programs.length === 0) {
    return { programs, advice: `There is no display, so the clipboard cannot be read. ${paste}` };
  }
  const name = isSet(env, "WAYLAND_DISPLAY") ? "wl-clipboard" : "xclip";
  return { programs, advice: `Install ${name} to paste images. ${paste}` };
}

function isSet(env: Environment, name: string): boolean {
  return (env[name] ?? "") !== "";
}

/** What these programs need, and no keys. */
const PASSED = ["PATH", "Path", "HOME", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"].concat(
  "XAUTHORITY",
  "SystemRoot",
  "TEMP",
  "TMPDIR",
);

async function run(
  { file, args, isBase64 = false }: ClipboardProgram,
  env: Environment,
): Promise<Uint8Array | "missing" | "empty"> {
  const passed = Object.fromEntries(PASSED.map((name) => [name, env[name]]));
  const options = {
    env: passed,
    encoding: "buffer",
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_BYTES,
  } as const;
  return await new Promise((resolve) => {
    const child = execFile(file, args, options, (error, stdout) => {
      if (error !== null && errorCode(error) === "ENOENT") return resolve("missing");
      // These programs exit with an error if the clipboard has something else.
      if (error !== null || stdout.length === 0) return resolve("empty");
      const bytes = isBase64 ? Buffer.from(stdout.toString("latin1"), "base64") : stdout;
      resolve(bytes.length === 0 ? "empty" : bytes);
    });
    child.stdin?.end();
  });
}
