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

/** Notes of a part that this driver has not sent yet. */
export function newNotes(partNumber: number, heldBytes: number): PartNotes {
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
