const VAGUE_NAME =
  /(?:^|\/)(?:utils?|helpers?|types?|common|misc|shared|manager|service)\.[cm]?[jt]s$/;

/** A file is named after its one idea, never after a category such as `utils`. */
export const descriptiveFileNames = {
  /** @param {any} context */
  create(context) {
    return {
      /** @param {any} node */
      Program(node) {
        if (!VAGUE_NAME.test(context.filename.replaceAll("\\", "/"))) return;
        context.report({ node, message: "Name the file after its one idea." });
      },
    };
  },
};
