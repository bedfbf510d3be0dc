// breaks: eslint(no-restricted-globals)
export const home: string | undefined = process.env["HOME"];
