import { sha256Base64 } from './hash.ts'
import { partRange } from '#src/local/uploads/model/plan.ts'
import type { ByteSource, BytesProblem, UploadDeps } from '#src/local/uploads/ports.ts'
import { ok, type Result } from '#src/lib/result.ts'
import type { PartPlan } from '#src/local/db/rows.ts'

type Hashed = Result<string, BytesProblem>

/**
 * SHA-256 of parts (base64), computed while other parts are being sent, so that a free slot sends
 * at once. One part is read while the previous one is hashed: two parts are in memory, whatever the
 * number of slots, and the first slot does not wait for the fifth.
 */
export interface PartHashes {
  /**
   * The hash of a part, computed now unless it is ready. Each hash is returned once: a part that is
   * sent again is read again.
   */
  take(partNumber: number): Promise<Hashed>
  /**
   * Hashes these parts next, in this order, when no caller waits for another one; forgets hashes of
   * parts that are not listed.
   */
  ahead(partNumbers: readonly number[]): void
}

/** Reading stops when nothing is requested anymore; there is nothing to close. */
export function createPartHashes(
  digest: UploadDeps['digest'],
  plan: PartPlan,
  source: ByteSource,
): PartHashes {
  return new HashQueue(digest, plan, source)
}

class HashQueue implements PartHashes {
  readonly #digest: UploadDeps['digest']
  readonly #plan: PartPlan
  readonly #source: ByteSource
  readonly #made = new Map<number, string>()
  readonly #asked = new Map<number, PromiseWithResolvers<Hashed>>()
  /** Read or being read, and not hashed yet. */
  readonly #inHand = new Set<number>()
  #next: readonly number[] = []
  #isReading = false
  #hashing: Promise<void> = Promise.resolve()

  constructor(digest: UploadDeps['digest'], plan: PartPlan, source: ByteSource) {
    this.#digest = digest
    this.#plan = plan
    this.#source = source
  }

  async take(partNumber: number): Promise<Hashed> {
    const ready = this.#made.get(partNumber)
    this.#made.delete(partNumber)
    if (ready !== undefined) return ok(ready)
    const asking = this.#asked.get(partNumber) ?? Promise.withResolvers<Hashed>()
    this.#asked.set(partNumber, asking)
    void this.#readAll()
    return asking.promise
  }

  ahead(partNumbers: readonly number[]): void {
    for (const partNumber of this.#made.keys())
      if (!partNumbers.includes(partNumber)) this.#made.delete(partNumber)
    this.#next = partNumbers
    void this.#readAll()
  }

  async #readAll(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    for (let part = this.#nextPart(); part !== undefined; part = this.#nextPart()) {
      const partNumber = part
      this.#next = this.#next.filter((each) => each !== partNumber)
      this.#inHand.add(partNumber)
      const { start, end } = partRange(this.#plan, partNumber)
      const reading = this.#source.read(start, end)
      await Promise.allSettled([reading, this.#hashing])
      this.#hashing = this.#settle(
        partNumber,
        reading.then((bytes) => this.#hash(bytes)),
      )
    }
    this.#isReading = false
  }

  async #hash(bytes: Result<ArrayBuffer, BytesProblem>): Promise<Hashed> {
    return bytes.ok ? ok(await sha256Base64(this.#digest, bytes.value)) : bytes
  }

  async #settle(partNumber: number, making: Promise<Hashed>): Promise<void> {
    await making.then(
      (hashed) => {
        const waiting = this.#asked.get(partNumber)
        waiting?.resolve(hashed)
        // A failure ahead of time means nothing yet: the file may be readable again when the part
        // is sent.
        if (waiting === undefined && hashed.ok) this.#made.set(partNumber, hashed.value)
      },
      (thrown: unknown) => this.#asked.get(partNumber)?.reject(thrown),
    )
    this.#asked.delete(partNumber)
    this.#inHand.delete(partNumber)
  }

  /** A part that a caller waits for, else one that is wanted ahead of time. */
  #nextPart(): number | undefined {
    for (const partNumber of this.#asked.keys())
      if (!this.#inHand.has(partNumber)) return partNumber
    return this.#next.find(
      (partNumber) => !this.#made.has(partNumber) && !this.#inHand.has(partNumber),
    )
  }
}
