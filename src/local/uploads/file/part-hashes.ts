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
  const made = new Map<number, string>()
  const asked = new Map<number, PromiseWithResolvers<Hashed>>()
  /** Read or being read, and not hashed yet. */
  const inHand = new Set<number>()
  let next: readonly number[] = []
  let isReading = false
  let hashing: Promise<void> = Promise.resolve()

  const settle = async (partNumber: number, making: Promise<Hashed>): Promise<void> => {
    await making.then(
      (hashed) => {
        const waiting = asked.get(partNumber)
        waiting?.resolve(hashed)
        // A failure ahead of time means nothing yet: the file may be readable again when the part
        // is sent.
        if (waiting === undefined && hashed.ok) made.set(partNumber, hashed.value)
      },
      (thrown: unknown) => asked.get(partNumber)?.reject(thrown),
    )
    asked.delete(partNumber)
    inHand.delete(partNumber)
  }
  const hash = async (bytes: Result<ArrayBuffer, BytesProblem>): Promise<Hashed> =>
    bytes.ok ? ok(await sha256Base64(digest, bytes.value)) : bytes

  const readAll = async (): Promise<void> => {
    if (isReading) return
    isReading = true
    for (
      let partNumber = nextOf(asked, next, made, inHand);
      partNumber !== undefined;
      partNumber = nextOf(asked, next, made, inHand)
    ) {
      const number = partNumber
      next = next.filter((each) => each !== number)
      inHand.add(number)
      const { start, end } = partRange(plan, number)
      const reading = source.read(start, end)
      await Promise.allSettled([reading, hashing])
      hashing = settle(number, reading.then(hash))
    }
    isReading = false
  }

  return {
    take: async (partNumber) => {
      const ready = made.get(partNumber)
      made.delete(partNumber)
      if (ready !== undefined) return ok(ready)
      const asking = asked.get(partNumber) ?? Promise.withResolvers<Hashed>()
      asked.set(partNumber, asking)
      void readAll()
      return asking.promise
    },
    ahead: (partNumbers) => {
      for (const partNumber of made.keys())
        if (!partNumbers.includes(partNumber)) made.delete(partNumber)
      next = partNumbers
      void readAll()
    },
  }
}

function nextOf(
  asked: ReadonlyMap<number, unknown>,
  next: readonly number[],
  made: ReadonlyMap<number, string>,
  inHand: ReadonlySet<number>,
): number | undefined {
  for (const partNumber of asked.keys()) if (!inHand.has(partNumber)) return partNumber
  return next.find((partNumber) => !made.has(partNumber) && !inHand.has(partNumber))
}
