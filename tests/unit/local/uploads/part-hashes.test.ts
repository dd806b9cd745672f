import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createFakeFile, fakeSource } from '#tests/fakes/upload-bytes.ts'
import { createPartHashes } from '#src/local/uploads/file/part-hashes.ts'
import type { ByteSource } from '#src/local/uploads/ports.ts'

const PART = 1_000
const PLAN = { partSizeBytes: PART, partCount: 8, sizeBytes: 8 * PART }
const file = createFakeFile('scene.mp4', 8 * PART)

function sha256(partNumber: number): string {
  return createHash('sha256')
    .update(file.bytes.subarray((partNumber - 1) * PART, partNumber * PART))
    .digest('base64')
}

/** A file whose reads are counted, and answered when the test says so. */
function heldSource() {
  const reads: { readonly partNumber: number; readonly answer: () => void }[] = []
  let open = 0
  let most = 0
  const inner = fakeSource(file)
  const source: ByteSource = {
    ...inner,
    read: (start, end) =>
      new Promise((resolve) => {
        most = Math.max(most, ++open)
        reads.push({
          partNumber: start / PART + 1,
          answer: () => {
            open -= 1
            resolve(inner.read(start, end))
          },
        })
      }),
  }
  /** Answers reads as they come until `count` were answered. */
  const answer = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += 1) {
      await expect.poll(() => reads.length, { interval: 1 }).toBeGreaterThan(0)
      reads.shift()?.answer()
    }
  }
  return { source, reads, answer, most: () => most }
}

const digest = (bytes: ArrayBuffer): Promise<ArrayBuffer> => crypto.subtle.digest('SHA-256', bytes)

describe('the hashes of parts', () => {
  it('are those of the parts, and only one part is read at a time, however many slots ask', async () => {
    const { source, answer, most } = heldSource()
    const hashes = createPartHashes(digest, PLAN, source)
    const asked = [1, 2, 3, 4, 5].map((partNumber) => hashes.take(partNumber))
    await answer(5)
    expect(await Promise.all(asked)).toEqual(
      [1, 2, 3, 4, 5].map((partNumber) => ({ ok: true, value: sha256(partNumber) })),
    )
    expect(most()).toBe(1)
  })

  it('are made while the next part is read, and no third one is read before', async () => {
    const { source, reads, answer } = heldSource()
    const held = Promise.withResolvers<void>()
    const hashes = createPartHashes(
      async (bytes) => {
        await held.promise
        return digest(bytes)
      },
      PLAN,
      source,
    )
    const asked = [1, 2, 3].map((partNumber) => hashes.take(partNumber))
    await answer(2)
    // All that follows from two finished reads has happened by now.
    await new Promise((resolve) => setImmediate(resolve))
    expect(reads).toEqual([])
    held.resolve()
    await answer(1)
    expect(await Promise.all(asked)).toEqual(
      [1, 2, 3].map((partNumber) => ({ ok: true, value: sha256(partNumber) })),
    )
  })

  it('are made ahead, so that a slot that becomes free reads nothing; a part sent again is read again', async () => {
    const { source, reads, answer } = heldSource()
    const hashes = createPartHashes(digest, PLAN, source)
    hashes.ahead([6, 7])
    await answer(2)
    await expect.poll(() => reads.length, { interval: 1 }).toBe(0)
    expect(await hashes.take(6)).toEqual({ ok: true, value: sha256(6) })
    const again = hashes.take(6)
    await answer(1)
    expect(await again).toEqual({ ok: true, value: sha256(6) })
  })

  it('that a caller waits for come before those ahead', async () => {
    const { source, reads, answer } = heldSource()
    const hashes = createPartHashes(digest, PLAN, source)
    hashes.ahead([6, 7, 8])
    const asked = hashes.take(2)
    await answer(1)
    await expect.poll(() => reads[0]?.partNumber, { interval: 1 }).toBe(2)
    await answer(1)
    expect(await asked).toEqual({ ok: true, value: sha256(2) })
    await answer(2)
  })

  it('say why a part cannot be read only to who needs it, who may find it back', async () => {
    const broken = createFakeFile('scene.mp4', 8 * PART)
    const hashes = createPartHashes(digest, PLAN, fakeSource(broken))
    broken.problem = { kind: 'changed' }
    hashes.ahead([3])
    expect(await hashes.take(4)).toEqual({ ok: false, error: { kind: 'changed' } })
    broken.problem = null
    expect(await hashes.take(3)).toEqual({ ok: true, value: sha256(3) })
  })
})
