/** The part of docs/terminal.md about attached files and images. */
export const ATTACHMENTS_SECTION = `## Files and images in a message

A path after an \`@\` attaches the file to the message: \`compare @src/a.ts with @"my notes.md"\`. Paths are relative to the current directory
or the workspace; those with spaces are in quotes, as completion writes them. The model gets the file as \`Read\` returns it, with
line numbers, and can edit it without reading it again. A directory attaches the list of its files. A line below the message says what was attached, or why something was not:
the rules, the ignored files and the masks of \`Read\` and \`Glob\` apply, and nothing outside the workspace is read. A word that leads to no file, such as
\`@Injectable\`, is only a word, unless it is in quotes. Completion offers hidden files, but none that Git ignores; type their whole path.

A file adds at most 1,000 lines and 40,000 characters, all files of a message together 120,000 characters, and at most 20 are attached. A shortened file ends with
a note that says how many lines follow. For memory, attached text counts as text of others, like that of any tool, and so does an image. Only what you type names files:
an \`@\` in a custom command or in piped input attaches nothing.

Images (PNG, JPEG, GIF and WebP, known by their content) are attached in the same way: \`@screenshot.png\`. Ctrl-V attaches the image in the clipboard, with \`wl-paste\`,
\`xclip\`, \`pngpaste\` or PowerShell, and a file that you drop into the terminal is attached, too, also from outside the workspace.
A word such as \`[image 1]\` represents a pasted image; remove it to remove the image. An image has at most 3.75 MB and 8,000 pixels a side, and those of one message
12 MB together. If an image is damaged or too large, or the [model accepts none](providers.md#images), the message is not sent and returns to the prompt. A message
sent while the agent works goes without that image.
`;
