import { expect, it } from 'vitest'
import { treeHash, webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { PartsAtServer } from '#src/local/uploads/model/parts-at-server.ts'
import { endedAtServer } from '#src/local/uploads/transfer/ended-at-server.ts'
import type { UploadPartRow } from '#src/local/db/rows.ts'
import { fakeUploadRow } from '#tests/fakes/fake-rows.ts'

const SHA256 = [
  'uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=',
  'LuSjrmiiTfFXKd6YYVWg6s3EGtJxZ1xJ2T0jrX9Tn+0=',
]
const deps = { digest: webCryptoDigest }

/** A claim on an upload of two parts, of which this device knows the given ones. */
function claimWith(...partNumbers: readonly number[]) {
  const parts = partNumbers.map((partNumber): UploadPartRow => ({
    uploadId: 'local-upload',
    partNumber,
    eTag: 'etag',
    sizeBytes: 10,
    sha256: SHA256[partNumber - 1] ?? '',
    safeAtEpochMs: 0,
  }))
  const row = fakeUploadRow({ plan: { partSizeBytes: 10, partCount: 2, sizeBytes: 20 } })
  return { row: () => row, parts: new PartsAtServer(parts) }
}

it('SAF-02 keeps the hash of the whole only if this device computed the same', async () => {
  const treeSha256 = await treeHash(webCryptoDigest, SHA256)
  // In the order of arrival, not of the file.
  expect(await endedAtServer(deps, claimWith(2, 1), { state: 'completed', treeSha256 })).toEqual({
    kind: 'completed',
    treeSha256,
  })
  expect(
    await endedAtServer(deps, claimWith(1, 2), {
      state: 'validated',
      treeSha256: `${SHA256[0]}-2`,
    }),
  ).toEqual({ kind: 'fail', code: 'upload/mismatch', message: null })
})

it('SAF-02 claims nothing where it cannot compare: parts of another device, a store without hashes', async () => {
  const unknown = { kind: 'completed', treeSha256: null }
  expect(
    await endedAtServer(deps, claimWith(1), { state: 'completed', treeSha256: `${SHA256[0]}-2` }),
  ).toEqual(unknown)
  expect(
    await endedAtServer(deps, claimWith(1, 2), { state: 'completed', treeSha256: null }),
  ).toEqual(unknown)
  expect(
    await endedAtServer(deps, claimWith(1, 2), { state: 'aborted', treeSha256: null }),
  ).toEqual({ kind: 'gone' })
})
