/** Each kind of header has its own module; the package itself loads all four. */
declare module 'negotiator/lib/encoding.js' {
  const preferredEncodings: (acceptEncoding: string | undefined, available: string[]) => string[];
  export default preferredEncodings;
}
declare module 'negotiator/lib/mediaType.js' {
  const preferredMediaTypes: (accept: string | undefined, available: string[]) => string[];
  export default preferredMediaTypes;
}
declare module 'negotiator/lib/language.js' {
  const preferredLanguages: (acceptLanguage: string | undefined, available: string[]) => string[];
  export default preferredLanguages;
}
