/** An error that a service answers, by the name that the SDK raises it under. */
export class ServiceError extends Error {
  readonly status: number;

  constructor(name: string, message: string, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
  }

  /** What stands in the answer. */
  get body() {
    return { __type: this.name, message: this.message };
  }
}
