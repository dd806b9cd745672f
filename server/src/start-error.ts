/**
 * Something that keeps the server from starting and that the person can mend; the message is one
 * sentence and all they see.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}
