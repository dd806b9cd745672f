import { MIB } from '#src/lib/bytes.ts'

/**
 * [Note: pieces] A part that resumes is sent in pieces, each answered by the server with how much
 * of the part it holds. So what is safe grows every few seconds on any network, the speed is that
 * of bytes that have arrived, and a proxy that collects whole bodies loses one piece at most. On a
 * fast network a piece is the rest of the part: the first, small one costs a round trip.
 */
const FIRST_BYTES = MIB / 4
/** A piece should take this long on one connection. */
const TARGET_MS = 8_000

/** How large the next piece of any part may be. One for each driver: its parts share a network. */
export class PieceSize {
  #bytes = FIRST_BYTES
  /** What something in between accepts; a refusal for size lowers it for good. */
  #mostBytes = Number.POSITIVE_INFINITY

  /** The length of the next piece, when `leftBytes` of the part are missing. */
  next(leftBytes: number): number {
    const bytes = Math.floor(Math.min(this.#bytes, this.#mostBytes))
    // A rest that is smaller than half a piece goes with this one: it would cost a round trip.
    const isNearlyAll = leftBytes <= bytes * 1.5 && leftBytes <= this.#mostBytes
    return isNearlyAll ? leftBytes : bytes
  }

  /**
   * A piece was answered. However fast that was, it is true of the whole way: the server answers
   * when it holds the bytes, not when a proxy has them.
   */
  answered(bytes: number, tookMs: number): void {
    this.#bytes = Math.max(FIRST_BYTES, (bytes * TARGET_MS) / Math.max(1, tookMs))
  }

  /** Bytes were sent and lost: nothing of them arrived. */
  lost(bytes: number): void {
    this.#bytes = Math.max(FIRST_BYTES, Math.min(this.#bytes, bytes / 2))
  }

  /** The storage refused a body, and may refuse the next one too: that one costs little. */
  startOver(): void {
    this.#bytes = FIRST_BYTES
  }

  /**
   * The size of a body was refused. False when it was already the smallest: then the size is not
   * the reason.
   */
  refused(bytes: number): boolean {
    if (bytes <= FIRST_BYTES) return false
    this.#mostBytes = Math.max(FIRST_BYTES, Math.floor(Math.min(bytes, this.#mostBytes) / 2))
    return true
  }
}
