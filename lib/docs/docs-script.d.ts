/** The file that the renderer of the page is built into, of which the path is imported: `infra/openapi/renderer.ts`. */
declare module 'docs:script' {
  const path: string;
  export default path;
}
