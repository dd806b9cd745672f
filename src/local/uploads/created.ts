import { createPartHashes, type PartHashes } from './part-hashes.ts'
import { endsFirst, missingParts } from './plan.ts'
import type { ByteSource, ServerUpload, UploadDeps } from './ports.ts'
import { MAX_LEASES } from './scheduler.ts'
import type { PartPlan } from '#src/local/db/rows.ts'

/** An older answer is asked for again. */
const FRESH_MS = 60_000

/** The file that was chosen in this context, and the hashes of its first parts on their way. */
export interface Opening { readonly source: ByteSource; readonly hashes: PartHashes }

/** What the creation of an upload has told already: the first addresses need no second round trip, and bytes are read meanwhile. */
export interface JustCreated { readonly server: ServerUpload; readonly opening: Opening | null }

/** Uploads that this context created a moment ago, by local id. In memory only; each is given once. */
export interface CreatedUploads {
  keep(uploadId: string, server: ServerUpload, plan: PartPlan): void
  take(uploadId: string, uploadRequestId: string): Promise<JustCreated | null>
}

export function createCreatedUploads({ bytes, clock, digest, store }: Pick<UploadDeps, 'bytes' | 'clock' | 'digest' | 'store'>): CreatedUploads {
  const kept = new Map<string, { readonly server: ServerUpload; readonly atEpochMs: number; readonly opening: Promise<Opening | null> }>()

  const open = async (uploadId: string, plan: PartPlan): Promise<Opening | null> => {
    // Only the chosen file itself, whose fingerprint was just taken, needs no second look.
    const row = bytes.isHeld(uploadId) ? await store.read(uploadId) : null
    const source = row === null ? null : await bytes.open(row)
    if (source?.ok !== true) return null
    const hashes = createPartHashes(digest, plan, source.value)
    hashes.ahead(endsFirst(plan, missingParts(plan, new Set())).slice(0, MAX_LEASES))
    return { source: source.value, hashes }
  }

  return {
    keep: (uploadId, server, plan) => void kept.set(uploadId, { server, atEpochMs: clock.now(), opening: open(uploadId, plan).catch(() => null) }),
    take: async (uploadId, uploadRequestId) => {
      const found = kept.get(uploadId)
      kept.delete(uploadId)
      const isFresh = found?.server.uploadRequestId === uploadRequestId && Math.abs(clock.now() - found.atEpochMs) < FRESH_MS
      return isFresh ? { server: found.server, opening: await found.opening } : null
    },
  }
}
