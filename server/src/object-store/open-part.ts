import type { Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Problem } from '#server/problems.ts'
import { hashRange } from './hash-range.ts'
import type { Held, HeldRecord } from './held-parts.ts'
import type { LedgerEntry, PartLedger } from './part-ledger.ts'
import type { PartTurn } from './part-turns.ts'
import type { PartGrant } from './part-url.ts'

/** A part during a turn; its row and what was kept of it are those of the turn's beginning. */
export interface OpenPart {
  readonly ledger: PartLedger
  readonly entry: Exclude<LedgerEntry, { kind: 'ended' }>
  readonly kept: Held | null
  readonly grant: PartGrant
  readonly checksumSha256: string | null
  readonly file: FileHandle
  readonly held: HeldRecord
  readonly turn: PartTurn
}

/**
 * Makes a part count whose bytes are all written, and returns its ETag; null when they are not what
 * the checksum says, and nothing of them is held then. `received` is null when the bytes came in
 * pieces: they are read back once.
 */
export async function finish(part: OpenPart, received: Hash | null): Promise<string | null> {
  const { ledger, grant, checksumSha256, file, held, turn } = part
  const digest =
    received?.digest() ?? (await hashRange(file, grant.offset, grant.offset + grant.sizeBytes))
  const checksum = digest.toString('base64')
  if (checksumSha256 !== null && checksumSha256 !== checksum) {
    await held.clear()
    return null
  }
  await file.datasync()
  turn.throwIfLost()
  const eTag = digest.toString('hex')
  const { uploadId, partNumber, sizeBytes } = grant
  const stored = { partNumber, eTag, sizeBytes, checksumSha256: checksum }
  if (!(await ledger.record(uploadId, stored))) throw uploadEnded()
  return eTag
}

/** Writes chunks of `bytes` together at a place of the file. */
export async function writeAll(
  file: FileHandle,
  chunks: Buffer[],
  bytes: number,
  position: number,
): Promise<void> {
  const { bytesWritten } = await file.writev(chunks, position)
  if (bytesWritten === bytes) return
  // Rare: a signal or a nearly full disk cut the write short.
  const rest = Buffer.concat(chunks)
  for (let done = bytesWritten; done < bytes;)
    done += (await file.write(rest, done, bytes - done, position + done)).bytesWritten
}

/**
 * The upload does not take parts: it was completed or cancelled. Trying again does not help: ask
 * the API for the upload's state.
 */
export function uploadEnded(): Problem {
  return new Problem('parts/upload-ended', 'This upload has ended.')
}
