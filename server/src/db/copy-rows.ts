import { Readable, Writable } from 'node:stream'
import type { Connection, Submittable } from 'pg'

/** What `pg` calls on a connection that copies, and its types leave out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

interface Complete {
  /** Such as `COPY 12`. */
  readonly text: string
}

/**
 * What `copy … to stdout` sends, to be given to `client.query`. A slow reader slows the database
 * down. The client has to be closed when the reading ends early.
 */
export class RowsOut extends Readable implements Submittable {
  readonly #statement: string
  #connection: Connection | null = null
  #rows = 0

  constructor(statement: string) {
    super()
    this.#statement = statement
  }

  /** How many rows were sent; right once the stream has ended. */
  get rows(): number {
    return this.#rows
  }

  submit(connection: Connection): void {
    this.#connection = connection
    connection.query(this.#statement)
  }

  override _read(): void {
    this.#connection?.stream.resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#connection?.stream.resume()
    done(error)
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // The parser uses the memory of a chunk again.
    if (!this.destroyed && !this.push(Buffer.from(chunk))) this.#connection?.stream.pause()
  }

  handleCommandComplete({ text }: Complete): void {
    this.#rows = rowsOf(text)
  }

  handleReadyForQuery(): void {
    if (!this.destroyed) this.push(null)
  }

  handleError(error: Error): void {
    this.destroy(error)
  }
}

/** Where the rows of `copy … from stdin` are written to, to be given to `client.query`. */
export class RowsIn extends Writable implements Submittable {
  readonly #statement: string
  readonly #open = Promise.withResolvers<CopyConnection>()
  readonly #ended = Promise.withResolvers<undefined>()
  #rows = 0

  constructor(statement: string) {
    super()
    this.#statement = statement
    // An error also destroys the stream, which is where it is seen.
    for (const { promise } of [this.#open, this.#ended]) promise.catch(() => undefined)
  }

  /** How many rows the database took; right once the stream has finished. */
  get rows(): number {
    return this.#rows
  }

  submit(connection: Connection): void {
    connection.query(this.#statement)
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#open.promise.then((connection) => {
      connection.sendCopyFromChunk(chunk)
      if (connection.stream.writableNeedDrain) connection.stream.once('drain', () => done())
      else done()
    }, done)
  }

  override _final(done: (error?: Error) => void): void {
    this.#open.promise
      .then(async (connection) => {
        connection.endCopyFrom()
        await this.#ended.promise
      })
      .then(() => done(), done)
  }

  handleCopyInResponse(connection: Connection): void {
    this.#open.resolve(connection as CopyConnection)
  }

  handleCommandComplete({ text }: Complete): void {
    this.#rows = rowsOf(text)
  }

  handleReadyForQuery(): void {
    this.#ended.resolve(undefined)
  }

  handleError(error: Error): void {
    this.#open.reject(error)
    this.#ended.reject(error)
    this.destroy(error)
  }
}

function rowsOf(text: string): number {
  return Number(/\d+$/.exec(text)?.[0] ?? 0)
}
