import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import type { Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { copyMissingParts } from '#server/operations/processing/imports/copy.ts'
import type { RemoteFile } from '#server/operations/processing/imports/kinds/kind.ts'
import type { PartBytes } from '#server/object-store/port.ts'
import { planParts } from '#server/operations/media/uploads/plan.ts'
import { CLOUD_FILE_MAX_BYTES } from '#spec/numbers.ts'

const GIB = 1024 ** 3
const PART_BYTES = 16 * 1024 ** 2

/** A file of 25 GiB whose every 8 bytes say where they are: nothing of it is kept. */
function sparseFile() {
  const asked: string[] = []
  const open = async ({ headers }: { headers: Readonly<Record<string, string>> }) => {
    const range = headers['range'] ?? ''
    asked.push(range)
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
    const [start, end] = [Number(first), Number(last)]
    const bytes = Buffer.alloc(end - start + 1)
    for (let at = 0; at + 8 <= bytes.length; at += 8) bytes.writeBigUInt64BE(BigInt(start + at), at)
    const message = Object.assign(Readable.from([bytes]), {
      statusCode: 206,
      headers: {
        etag: '"v1"',
        'content-range': `bytes ${start}-${end}/${CLOUD_FILE_MAX_BYTES}`,
        'content-length': String(bytes.length),
      },
    })
    return await Promise.resolve({ url: new URL('https://share.example/a.mp4'), message })
  }
  return { asked, open }
}

it('UPL-09 finds the places of parts in the largest file', async () => {
  expect(CLOUD_FILE_MAX_BYTES).toBe(25 * GIB)
  const { asked, open } = sparseFile()
  const missing = [1, 257, 1600]
  const written = new Map<number, { size: number; first: bigint }>()
  const store = {
    listParts: async () =>
      await Promise.resolve(
        Array.from({ length: 1600 }, (_, index) => ({ partNumber: index + 1 })).filter(
          ({ partNumber }) => !missing.includes(partNumber),
        ),
      ),
    writePart: async (_plan: unknown, _id: unknown, partNumber: number, { from }: PartBytes) => {
      const chunks: Buffer[] = []
      for await (const chunk of from(0)) chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      written.set(partNumber, { size: bytes.length, first: bytes.readBigUInt64BE() })
    },
  }
  const upload = {
    id: 'u',
    objectKey: 'uploads/u',
    storeUploadId: null,
    sizeBytes: CLOUD_FILE_MAX_BYTES,
    ...planParts('link', CLOUD_FILE_MAX_BYTES, PART_BYTES),
  }
  await copyMissingParts({ store } as unknown as Pick<Ctx, 'store'>, {
    upload: upload as UploadRow,
    source: {
      file: { open } as unknown as RemoteFile,
      nowMs: () => 0,
      sizeBytes: CLOUD_FILE_MAX_BYTES,
      validator: '"v1"',
      signal: new AbortController().signal,
      onBytes: () => {},
    },
    version: 'v1',
    onHeld: () => {},
    onStored: () => {},
  })
  expect([...written.keys()].toSorted((a, b) => a - b)).toEqual(missing)
  for (const [partNumber, { size, first }] of written) {
    expect(size).toBe(PART_BYTES)
    expect(first).toBe(BigInt(partNumber - 1) * BigInt(PART_BYTES))
  }
  expect(asked).toContain(`bytes=${25 * GIB - PART_BYTES}-${25 * GIB - 1}`)
})
