import { createHash, type Hash } from 'node:crypto'
import { createBatches, type Batches } from './batches.ts'
import { readInto } from './hash-range.ts'
import { finish, uploadEnded, writeAll, type OpenPart } from './open-part.ts'
import type { PartBytes } from './port.ts'
import type { PartGrant } from './part-url.ts'
import { stalled, wrongSize } from './receive-body.ts'

/** A part whose bytes this server gets itself. */
export interface FetchedPart {
  readonly grant: PartGrant
  readonly bytes: PartBytes
}

/**
 * Takes the bytes of a part from where an earlier try ended, and stores it. Throws what they throw,
 * the signal's reason, or `parts/idle` when they end early; what has arrived is held then.
 *
 * [Note: fetched parts] What the SHA-256 of such a part will be is not known beforehand. So its
 * record in the held file has that of the bytes that are held, together with the version of the
 * file that they are of. They are read back and compared before they count: a record that says too
 * much after a power cut, or is of another version, costs a part and never harms one.
 */
export async function takeFetched(
  part: OpenPart,
  { grant, bytes: { version, from } }: FetchedPart,
  signal: AbortSignal,
): Promise<void> {
  const { entry, file, held, ledger, turn } = part
  if (entry.kind === 'stored' && !(await ledger.forget(grant.uploadId, grant.partNumber)))
    throw uploadEnded()
  const { offset, hash } = await findBegun(part, version)
  const batches = createBatches(async (chunks, bytes, before) => {
    turn.throwIfLost()
    const writing = writeAll(file, chunks, bytes, grant.offset + offset + before)
    // While the disk writes.
    for (const chunk of chunks) hash.update(chunk)
    await writing
    if (version === null) return
    await held.write({
      checksumSha256: bind(hash, version),
      bytes: offset + before + bytes,
    })
  })
  try {
    if (offset < grant.sizeBytes)
      await takeAll(from(offset), { sizeBytes: grant.sizeBytes - offset, signal, batches })
  } catch (error) {
    await batches.end().catch(() => {})
    throw error
  }
  await batches.end()
  await finish(part, hash)
}

interface Taking {
  readonly sizeBytes: number
  readonly signal: AbortSignal
  readonly batches: Batches
}

async function takeAll(
  chunks: AsyncIterable<Buffer>,
  { sizeBytes, signal, batches }: Taking,
): Promise<void> {
  let taken = 0
  for await (const chunk of chunks) {
    signal.throwIfAborted()
    taken += chunk.length
    if (taken > sizeBytes) throw wrongSize(sizeBytes)
    const busy = batches.take(chunk)
    if (busy !== undefined) await busy
  }
  if (taken < sizeBytes) throw stalled()
}

/** What of a part is on the disk already, and the hash of it. */
async function findBegun(
  { kept, grant, file }: OpenPart,
  version: string | null,
): Promise<{ readonly offset: number; readonly hash: Hash }> {
  if (version !== null && kept !== null && kept.bytes <= grant.sizeBytes) {
    const hash = createHash('sha256')
    await readInto(hash, file, { start: grant.offset, end: grant.offset + kept.bytes })
    if (bind(hash, version) === kept.checksumSha256) return { offset: kept.bytes, hash }
  }
  return { offset: 0, hash: createHash('sha256') }
}

/** What the record of held bytes says of them: their SHA-256 with the version they are of. */
function bind(hash: Hash, version: string): string {
  return createHash('sha256').update(hash.copy().digest()).update(version).digest('base64')
}
