import { missingParts, partSize } from './plan.ts'
import type { PartPlan, UploadPartRow } from '#src/local/db/rows.ts'
import type { ServerPart } from '#src/local/uploads/ports.ts'

/** A part that the server lists and this device did not send: nothing proves its bytes yet. */
export type UnprovenPart = Pick<ServerPart, 'eTag' | 'sha256'>

/**
 * What the server has of one upload's parts, as far as this device knows. A *safe* part is one that
 * the server stored and whose hash this device computed. In memory only; `UploadClaim` writes the
 * rows.
 */
export class PartsAtServer {
  readonly #safe: Map<number, UploadPartRow>
  readonly #unproven = new Map<number, UnprovenPart>()
  /** Bytes that the server holds of parts that are not safe. */
  readonly #held = new Map<number, number>()

  /** @param rows the part rows of this device */
  constructor(rows: readonly UploadPartRow[]) {
    // Versions before this one kept parts of the server's list without their hash.
    this.#safe = new Map(
      rows.flatMap((part) => (part.sha256 === '' ? [] : [[part.partNumber, part]])),
    )
  }

  /** Safe parts by number, including those whose row is not written yet. */
  safe(): ReadonlyMap<number, UploadPartRow> {
    return this.#safe
  }

  safeInOrder(): readonly UploadPartRow[] {
    return Array.from(this.#safe.values()).toSorted((a, b) => a.partNumber - b.partNumber)
  }

  /** Numbers of the parts that are not safe, in file order. */
  missing(plan: PartPlan): readonly number[] {
    return missingParts(plan, new Set(this.#safe.keys()))
  }

  /** What the server lists and this device still has to compare with the file. */
  unproven(): ReadonlyMap<number, UnprovenPart> {
    return this.#unproven
  }

  heldBytes(partNumber: number): number {
    return this.#held.get(partNumber) ?? 0
  }

  /** How many bytes the server has, of unfinished parts too. */
  safeBytes(): number {
    return sum(Array.from(this.#safe.values(), (part) => part.sizeBytes)) + sum(this.#held.values())
  }

  /** The server holds this much of an unfinished part. */
  hold(partNumber: number, heldBytes: number): void {
    if (heldBytes === 0) this.#held.delete(partNumber)
    else this.#held.set(partNumber, heldBytes)
  }

  /** The server stored the part, and its hash is that of the file's bytes. */
  prove(part: UploadPartRow): void {
    this.#safe.set(part.partNumber, part)
    this.#held.delete(part.partNumber)
    this.#unproven.delete(part.partNumber)
  }

  /** A listed part has other bytes than the file. */
  disprove(partNumber: number): void {
    this.#unproven.delete(partNumber)
  }

  /**
   * Agrees with the server's list. A part stays safe only if the server lists the same bytes; a
   * listed part that this device did not send is unproven. True when a part is not safe any more.
   */
  adopt(plan: PartPlan, parts: readonly ServerPart[]): boolean {
    const before = this.#safe.size
    const stored = new Map(
      parts.flatMap((part) => (isStoredWhole(plan, part) ? [[part.partNumber, part]] : [])),
    )
    for (const [partNumber, part] of this.#safe) {
      const listed = stored.get(partNumber)
      if (!isSameBytes(part, listed)) this.#safe.delete(partNumber)
      // Something in between may have changed the ETag of the answer.
      else this.#safe.set(partNumber, { ...part, eTag: listed?.eTag ?? part.eTag })
    }
    this.#unproven.clear()
    for (const [partNumber, part] of stored)
      if (!this.#safe.has(partNumber)) this.#unproven.set(partNumber, part)
    this.#held.clear()
    for (const part of parts)
      if (part.eTag === null && part.partNumber <= plan.partCount)
        this.hold(part.partNumber, Math.min(part.heldBytes, partSize(plan, part.partNumber)))
    return this.#safe.size !== before
  }
}

function isStoredWhole(plan: PartPlan, { partNumber, eTag, storedBytes }: ServerPart): boolean {
  return eTag !== null && partNumber <= plan.partCount && storedBytes === partSize(plan, partNumber)
}

/**
 * Whether the server has the bytes that this device sent. A hash decides; a storage that names none
 * is believed by its ETag, which it gave for these bytes.
 */
function isSameBytes(ours: UploadPartRow, listed: ServerPart | undefined): boolean {
  if (listed === undefined) return false
  return listed.sha256 === null ? listed.eTag === ours.eTag : listed.sha256 === ours.sha256
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
