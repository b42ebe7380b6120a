/** Path of the built renderer of the page: `infra/openapi/renderer.ts`. */
declare module 'docs:script' {
  const path: string;
  export default path;
}
