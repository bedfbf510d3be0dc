// breaks: eslint(no-restricted-globals)
export async function get(): Promise<Response> {
  return await fetch("http://localhost");
}
