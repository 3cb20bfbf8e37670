/** A failure whose cause asks for a pause, in milliseconds. */
export class RetryLater extends Error {
  override name = 'RetryLater';

  constructor(
    message: string,
    readonly afterMs: number,
  ) {
    super(message);
  }
}
