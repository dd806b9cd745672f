import { partRange } from '#src/local/uploads/model/plan.ts'
import { sha256Base64, sha256Hex } from './hash.ts'
import type { ByteSource, BytesProblem } from '#src/local/uploads/ports.ts'
import { MIB } from '#src/lib/bytes.ts'
import { ok, type Result } from '#src/lib/result.ts'
import type { PartPlan, UploadPartRow, UploadRow } from '#src/local/db/rows.ts'

export interface Fingerprint {
  readonly head: string
  readonly tail: string
}
type Digest = (bytes: ArrayBuffer) => Promise<ArrayBuffer>

/** A part and its SHA-256 (base64). */
export type HashedPart = Pick<UploadPartRow, 'partNumber' | 'sha256'>

/** How many parts stand for all where nothing says that the file was changed. */
const SAMPLED_PARTS = 3

/** SHA-256 (hex) of the first and the last MiB; for a smaller file both are of the whole file. */
export async function fingerprintOf(
  digest: Digest,
  source: ByteSource,
): Promise<Result<Fingerprint, BytesProblem>> {
  const head = await source.read(0, Math.min(MIB, source.sizeBytes))
  if (!head.ok) return head
  const tail = await source.read(Math.max(0, source.sizeBytes - MIB), source.sizeBytes)
  if (!tail.ok) return tail
  return ok({
    head: await sha256Hex(digest, head.value),
    tail: await sha256Hex(digest, tail.value),
  })
}

/**
 * How a file compares with the one that the upload started with. `touched`: the same bytes under
 * another name or time, as after a rename, a copy or a backup.
 */
export type FileComparison = 'same' | 'touched' | 'differs'

/**
 * Compares size, name, time, the first and last MiB, and the safe parts by their hashes: three of
 * them when name and time are unchanged, otherwise all, because only a whole comparison proves that
 * a changed file still has the bytes that were sent. Reads up to `row.safeBytes`.
 */
export async function compareFile(
  digest: Digest,
  source: ByteSource,
  row: UploadRow,
  parts: readonly UploadPartRow[],
): Promise<Result<FileComparison, BytesProblem>> {
  if (source.sizeBytes !== row.file.sizeBytes) return ok('differs')
  if (row.fingerprint !== null) {
    const found = await fingerprintOf(digest, source)
    if (!found.ok) return found
    if (found.value.head !== row.fingerprint.head || found.value.tail !== row.fingerprint.tail)
      return ok('differs')
  }
  const isTouched =
    source.file.name !== row.file.name ||
    source.file.lastModifiedEpochMs !== row.file.lastModifiedEpochMs
  const hashed = parts.filter((part) => part.sha256 !== '')
  const holds =
    row.plan === null
      ? ok(true)
      : await holdsParts(digest, source, row.plan, isTouched ? hashed : sampleOf(hashed))
  if (!holds.ok) return holds
  if (!holds.value) return ok('differs')
  return ok(isTouched ? 'touched' : 'same')
}

/** Whether the file has the bytes of these parts; reads all of them. */
export async function holdsParts(
  digest: Digest,
  source: ByteSource,
  plan: PartPlan,
  parts: readonly HashedPart[],
): Promise<Result<boolean, BytesProblem>> {
  for (const { partNumber, sha256 } of parts) {
    const { start, end } = partRange(plan, partNumber)
    const bytes = await source.read(start, end)
    if (!bytes.ok) return bytes
    if ((await sha256Base64(digest, bytes.value)) !== sha256) return ok(false)
  }
  return ok(true)
}

/** First, middle and last of the list. */
export function sampleOf(parts: readonly HashedPart[]): readonly HashedPart[] {
  if (parts.length <= SAMPLED_PARTS) return parts
  return [0, Math.floor(parts.length / 2), parts.length - 1].flatMap((index) => parts[index] ?? [])
}
