/** A command that cannot do what it is asked for; its code is printed as that of a failure is. */
export class Refused extends Error {
  /** @param code such as `unsupported` */
  constructor(code: string, message: string) {
    super(message);
    this.name = code;
  }
}
