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

const BATCH_BYTES = 65_536

/**
 * What `copy … to stdout` sends, to be given to `client.query`. A slow reader slows the database
 * down. The client has to be closed when the reading ends early.
 */
export class RowsOut extends Readable implements Submittable {
  readonly #statement: string
  #connection: Connection | null = null
  #rows = 0
  #batch = Buffer.allocUnsafe(BATCH_BYTES)
  #batched = 0

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
    if (this.destroyed) return
    // A chunk is one row, too little for a step of what reads this; its memory is used again.
    if (this.#batched + chunk.length > this.#batch.length) this.#pass(chunk.length)
    this.#batched += chunk.copy(this.#batch, this.#batched)
  }

  handleCommandComplete({ text }: Complete): void {
    this.#rows = rowsOf(text)
  }

  handleReadyForQuery(): void {
    if (this.destroyed) return
    this.#pass(0)
    this.push(null)
  }

  handleError(error: Error): void {
    this.destroy(error)
  }

  /** Passes on what is batched, and makes room for a chunk. */
  #pass(nextBytes: number): void {
    const isTaken = this.#batched === 0 || this.push(this.#batch.subarray(0, this.#batched))
    if (!isTaken) this.#connection?.stream.pause()
    this.#batch = Buffer.allocUnsafe(Math.max(BATCH_BYTES, nextBytes))
    this.#batched = 0
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
