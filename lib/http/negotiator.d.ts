/** Each of its kinds of headers has a module of its own; the package as a whole loads all four. */
declare module 'negotiator/lib/encoding.js' {
  const preferredEncodings: (acceptEncoding: string | undefined, available: string[]) => string[];
  export default preferredEncodings;
}
declare module 'negotiator/lib/mediaType.js' {
  const preferredMediaTypes: (accept: string | undefined, available: string[]) => string[];
  export default preferredMediaTypes;
}
