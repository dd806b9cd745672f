import { createPartHashes, type PartHashes } from '#src/local/uploads/file/part-hashes.ts'
import { endsFirst, likelyPlan, missingParts } from '#src/local/uploads/model/plan.ts'
import type { ByteSource, ServerUpload, UploadDeps } from '#src/local/uploads/ports.ts'
import { MAX_SLOTS } from '#src/local/uploads/transfer/scheduler.ts'
import type { PartPlan, UploadRow } from '#src/local/db/rows.ts'

/** An older answer is requested again, and a file that was opened longer ago is checked again. */
const FRESH_MS = 60_000

/** The file that was chosen in this context, and the hashes of its first parts in progress. */
interface ReadAhead {
  readonly source: ByteSource
  readonly hashes: PartHashes
}

/**
 * What creating the upload returned: the first part URLs need no second round trip, and the first
 * parts are read meanwhile.
 */
interface WarmStart {
  readonly server: ServerUpload
  readonly readAhead: ReadAhead | null
}

/**
 * Uploads that this context is creating or just created, by local id. In memory only; each is
 * returned once.
 */
export interface WarmStarts {
  /**
   * The upload was just started here and will be created: reads its first parts meanwhile, with the
   * plan that the server will most likely make. Only for one upload at a time, so that no more
   * bytes are in memory than for sending one; not at all when the server's part size is unknown.
   */
  expect(uploadId: string): void
  /** @param isNext the upload is sent now: its first parts are read at once if they are not yet */
  keep(uploadId: string, server: ServerUpload, plan: PartPlan, isNext: boolean): void
  take(uploadId: string, uploadRequestId: string): Promise<WarmStart | null>
  /** The upload is over. */
  forget(uploadId: string): void
}

interface Early {
  readonly plan: PartPlan
  readonly readAhead: ReadAhead
}
interface Expected {
  readonly uploadId: string
  readonly atEpochMs: number
  readonly early: Promise<Early | null>
}

/** @param isSendLockFree whether an upload that is created now can be sent next */
export function createWarmStarts(
  deps: Pick<UploadDeps, 'bytes' | 'clock' | 'digest' | 'store' | 'usualPartBytes'>,
  isSendLockFree: () => Promise<boolean>,
): WarmStarts {
  const { bytes, clock, digest, store } = deps
  const kept = new Map<
    string,
    {
      readonly server: ServerUpload
      readonly atEpochMs: number
      readonly readAhead: Promise<ReadAhead | null>
    }
  >()
  let expected: Expected | null = null
  const isFresh = ({ atEpochMs }: { readonly atEpochMs: number }): boolean =>
    Math.abs(clock.now() - atEpochMs) < FRESH_MS

  const open = async (row: UploadRow | null, plan: PartPlan): Promise<ReadAhead | null> => {
    // Skip verification only for the file whose fingerprint was taken a moment ago.
    const source = row !== null && bytes.isHeld(row.id) ? await bytes.open(row) : null
    if (source?.ok !== true) return null
    const hashes = createPartHashes(digest, plan, source.value)
    hashes.ahead(endsFirst(plan, missingParts(plan, new Set())).slice(0, MAX_SLOTS))
    return { source: source.value, hashes }
  }
  const openEarly = async (uploadId: string): Promise<Early | null> => {
    const [row, partBytes, isNext] = await Promise.all([
      store.read(uploadId),
      deps.usualPartBytes(),
      isSendLockFree(),
    ])
    const plan =
      row === null || row.plan !== null || partBytes === null || !isNext
        ? null
        : likelyPlan(row.file.sizeBytes, partBytes)
    const readAhead = plan === null ? null : await open(row, plan)
    return plan === null || readAhead === null ? null : { plan, readAhead }
  }
  const takeEarly = async (uploadId: string, plan: PartPlan): Promise<ReadAhead | null> => {
    if (expected?.uploadId !== uploadId) return null
    const found = expected
    expected = null
    const early = isFresh(found) ? await found.early : null
    return early !== null && isSamePlan(early.plan, plan) ? early.readAhead : null
  }

  return {
    expect: (uploadId) => {
      if (expected === null || !isFresh(expected))
        expected = {
          uploadId,
          atEpochMs: clock.now(),
          early: openEarly(uploadId).catch(() => null),
        }
    },
    keep: (uploadId, server, plan, isNext) => {
      const readAhead = takeEarly(uploadId, plan).then(
        async (early) => early ?? (isNext ? open(await store.read(uploadId), plan) : null),
      )
      kept.set(uploadId, { server, atEpochMs: clock.now(), readAhead: readAhead.catch(() => null) })
    },
    take: async (uploadId, uploadRequestId) => {
      const found = kept.get(uploadId)
      kept.delete(uploadId)
      return found !== undefined &&
        found.server.uploadRequestId === uploadRequestId &&
        isFresh(found)
        ? { server: found.server, readAhead: await found.readAhead }
        : null
    },
    forget: (uploadId) => {
      kept.delete(uploadId)
      if (expected?.uploadId === uploadId) expected = null
    },
  }
}

function isSamePlan(a: PartPlan, b: PartPlan): boolean {
  return (
    a.partSizeBytes === b.partSizeBytes &&
    a.partCount === b.partCount &&
    a.sizeBytes === b.sizeBytes
  )
}
