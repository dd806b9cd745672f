import type { PartsAtServer } from '#src/local/uploads/model/parts-at-server.ts'
import type { WaitCause } from '#src/local/uploads/model/problems.ts'

/** What a driver remembers of one part over all its attempts. In memory only. */
export interface PartNotes {
  readonly partNumber: number
  /** SHA-256 (base64) of the part; null before it is read. */
  sha256: string | null
  /** How much of the part the server holds, as it last said. */
  heldBytes: number
  /** An attempt broke off: the server may hold more than it last said. */
  mustAsk: boolean
  /** Where the last piece began and how much of it was sent, if it broke off. */
  broken: { readonly offset: number; readonly sentBytes: number } | null
  /** Attempts in a row that brought the part no byte further. */
  failedInARow: number
  /** What the last attempt failed with; null for none, or for a reason to try again at once. */
  cause: WaitCause | null
  /** No attempt before this time; 0 for at once. */
  notBeforeMs: number
  /** Generation of the URL that was refused last. */
  forbiddenGeneration: number | null
  digestFailures: number
}

/** The notes of one driver, over all its transfers. */
export class NotesByPart {
  readonly #parts: Pick<PartsAtServer, 'heldBytes'>
  readonly #notes = new Map<number, PartNotes>()

  constructor(parts: Pick<PartsAtServer, 'heldBytes'>) {
    this.#parts = parts
  }

  /** The notes of a part; fresh ones for a part that this driver has not sent yet. */
  of(partNumber: number): PartNotes {
    const found =
      this.#notes.get(partNumber) ?? newNotes(partNumber, this.#parts.heldBytes(partNumber))
    this.#notes.set(partNumber, found)
    return found
  }

  forget(partNumber: number): void {
    this.#notes.delete(partNumber)
  }

  forgetAll(): void {
    this.#notes.clear()
  }

  /** The file was opened again: what was read of it before says nothing. */
  forgetHashes(): void {
    for (const each of this.#notes.values()) each.sha256 = null
  }

  /** Every part may be tried now, whatever it waited for. */
  endWaits(): void {
    for (const each of this.#notes.values()) each.notBeforeMs = 0
  }
}

function newNotes(partNumber: number, heldBytes: number): PartNotes {
  return {
    partNumber,
    sha256: null,
    heldBytes,
    // What an earlier driver sent may belong to other bytes: the server compares the hash.
    mustAsk: heldBytes > 0,
    broken: null,
    failedInARow: 0,
    cause: null,
    notBeforeMs: 0,
    forbiddenGeneration: null,
    digestFailures: 0,
  }
}
