import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HEAD_START_BYTES, PROMISE_LIFE_MS } from '#server/budgets.ts'
import {
  promisedBytes,
  spareBytes,
  takesPart,
  type UnfinishedUpload,
} from '#server/object-store/disk-room.ts'

const GIB = 1024 ** 3
const at = new Date('2026-11-22T12:00:00Z')
const upload = (
  uploadId: string,
  sizeBytes: number,
  sentBytes: number,
  lastSentAt = at,
): UnfinishedUpload => ({ uploadId, sizeBytes, sentBytes, lastSentAt })

it('TRU-02 an upload reserves little until its bytes arrive, and never more than it lacks', () => {
  expect(promisedBytes(upload('a', 25 * GIB, 0), at)).toBe(HEAD_START_BYTES)
  expect(promisedBytes(upload('a', 25 * GIB, 5 * GIB), at)).toBe(5 * GIB)
  expect(promisedBytes(upload('a', 25 * GIB, 20 * GIB), at)).toBe(5 * GIB)
  expect(promisedBytes(upload('a', 10, 0), at)).toBe(10)
  const left = new Date(at.getTime() - PROMISE_LIFE_MS - 1)
  expect(promisedBytes(upload('a', 25 * GIB, 20 * GIB, left), at)).toBe(0)
})

it('TRU-02 twenty uploads of 50 GiB without a byte leave the disk to others', () => {
  const uploads = Array.from({ length: 20 }, (_, n) => upload(String(n), 50 * GIB, 0))
  expect(spareBytes({ freeBytes: 45 * GIB, uploads, at })).toBe(45 * GIB - 20 * HEAD_START_BYTES)
})

it('TRU-02 when the disk gets tight, an upload with bytes goes before one that only waits', () => {
  const uploads = [upload('nearly', 10 * GIB, 8 * GIB), upload('begun', 10 * GIB, 4 * GIB)]
  const look = { freeBytes: 2 * GIB, uploads, at }
  expect(takesPart(look, { uploadId: 'nearly', partBytes: GIB })).toBe(true)
  expect(takesPart(look, { uploadId: 'begun', partBytes: 1 })).toBe(false)
})

it('TRU-02 uploads never wait for each other in a circle: while a part fits, one of them goes on', () => {
  const uploads = fc.array(
    fc.record({
      size: fc.integer({ min: 1, max: 1000 }),
      sent: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  fc.assert(
    fc.property(uploads, fc.integer({ min: 1, max: 4000 }), (made, freeBytes) => {
      const look = {
        freeBytes,
        at,
        uploads: made.map(({ size, sent }, n) =>
          upload(String(n), size, Math.min(size - 1, Math.floor(size * sent))),
        ),
      }
      expect(look.uploads.some(({ uploadId }) => takesPart(look, { uploadId, partBytes: 1 }))).toBe(
        true,
      )
    }),
  )
})
