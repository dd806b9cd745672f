import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { furtherPages, type FurtherPages } from '#src/hooks/sync/further-pages.ts'
import { toShown, type Shown } from '#src/hooks/sync/shown.ts'
import { useLive } from '#src/hooks/sync/use-live.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { usePulls } from '#src/hooks/sync/use-pull.ts'
import { useUploads } from '#src/hooks/uploads/use-uploads.ts'
import { FACTS, readFact, type UploadSummary } from '#src/local/db/facts.ts'
import { isOwnUpload, readOwnUploads } from '#src/local/db/own-uploads.ts'
import { IMPORT_MS } from '#src/local/sync/intervals.ts'
import { listUploads, type ListedUpload } from '#src/local/uploads/page/upload-list.ts'
import { MINUTE_MS, SECOND_MS } from '#src/lib/time.ts'

export interface ShownUploads extends Omit<Shown<readonly UploadSummary[]>, 'data'>, FurtherPages {
  /** Null while this device does not know any and was not told that there is none. */
  readonly data: readonly ListedUpload[] | null
}

/** While the server checks an upload, or another device may be sending one. */
const WHILE_OTHERS_WORK_MS = 10 * SECOND_MS

function intervalFor(uploads: readonly UploadSummary[]): number | false {
  if (uploads.some(({ open }) => open?.fetching)) return IMPORT_MS
  const isChanging = uploads.some(
    ({ hasEnded, isValidated, isFailed, open }) =>
      (hasEnded && !isValidated && !isFailed) || (open !== null && open !== undefined),
  )
  return isChanging ? WHILE_OTHERS_WORK_MS : false
}

/** The recent uploads of all devices: this device's own at once, then as the server has them. */
export function useUploadList(): ShownUploads {
  const rows = useUploads()
  const nowEpochMs = useNow(MINUTE_MS)
  const interval = useLive('uploads-that-change', async (db) =>
    intervalFor((await readFact(db, FACTS.uploads))?.value ?? []),
  )
  const live = useLive('fact:uploads', async (db) => {
    const fact = await readFact(db, FACTS.uploads)
    return fact === null ? null : { data: fact.value, asOfEpochMs: fact.pulledAtEpochMs }
  })
  const known = useLive('own-uploads', (db) => readOwnUploads(db, 'media-job'))
  const own = known.kind === 'ready' ? known.value : null
  const discardedIds = own?.discardedIds ?? []
  const pull = useInfiniteQuery({
    ...usePulls().uploadsPages(),
    refetchInterval: () => (interval.kind === 'ready' ? interval.value : false),
    refetchIntervalInBackground: true,
  })
  const shown = toShown<readonly UploadSummary[]>(live, pull)
  const refresh = useEffectEvent(shown.refresh)
  // One that was made or discarded here makes the server's list old.
  const changed = [...(rows ?? []).map((row) => row.uploadRequestId), ...discardedIds].join()
  useEffect(() => refresh(), [changed])
  return {
    ...shown,
    ...furtherPages(pull),
    // An upload of this device that is not read yet would seem to be one of another device.
    data:
      rows === undefined || own === null || (shown.data === null && rows.length === 0)
        ? null
        : listUploads(rows, shown.data ?? [], nowEpochMs).filter(
            ({ uploadRequestId: id, elsewhere, ...upload }) =>
              id === null ||
              (!discardedIds.includes(id) &&
                (elsewhere === null ||
                  !isOwnUpload({ ...upload, uploadRequestId: id }, own, shown.asOfEpochMs ?? 0))),
          ),
  }
}
