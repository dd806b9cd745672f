import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { useLive, type Live } from '#src/hooks/sync/use-live.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { MadeFileRow, UploadRow } from '#src/local/db/rows.ts'
import type { Maker } from '#src/local/made/maker.ts'
import { isOfUpload, type Making } from '#src/local/made/making.ts'

export type { MadeFileRow }

/** What makes edits on this device. */
export function useMaker(): Maker {
  return useUploadsContext().maker
}

/** What this page makes now; null for nothing. */
export function useMaking(): Making | null {
  const maker = useMaker()
  return useSyncExternalStore(maker.subscribe, maker.current)
}

/**
 * The device edits of this account, newest first, also those that are being made or were not
 * finished. What another tab makes is followed until that tab ends, even in the middle.
 */
export function useMadeEdits(): Live<readonly MadeFileRow[]> {
  const live = useLive('made-edits', readMadeEdits)
  const rows = live.kind === 'ready' ? live.value : []
  const making = useMaking()
  useLeftMakes(rows.some(({ id, state }) => state.kind === 'making' && id !== making?.id))
  return live
}

/** Whether the server has made the same edit of the same video, as far as this device knows. */
export function useIsMadeByServer({ uploadId, slug }: MadeFileRow): boolean {
  const live = useLive(`made-by-server:${uploadId}:${slug}`, async (db) => {
    const uploadRequestId = (await db.uploads.get(uploadId))?.uploadRequestId ?? null
    if (uploadRequestId === null) return false
    const jobs = await db.mediaJobs.where('uploadRequestId').equals(uploadRequestId).toArray()
    return jobs
      .flatMap(({ value }) => value.tasks)
      .some((task) => task.mediaJobTaskPresetSlug === slug && task.status === 'succeeded')
  })
  return live.kind === 'ready' && live.value
}

/**
 * The newest upload of the video of a device edit, which may have been chosen again; null for none,
 * undefined while that is being read.
 */
export function useUploadOfMade(row: MadeFileRow): UploadRow | null | undefined {
  const live = useLive(`upload-of-made:${row.id}:${row.uploadId}`, async (db) => {
    const uploads = await db.uploads.orderBy('createdAtEpochMs').reverse().toArray()
    return uploads.find((upload) => isOfUpload(row, upload)) ?? null
  })
  return live.kind === 'ready' ? live.value : undefined
}

/** How many finished edits only this device has; read when it is asked. */
export function useCountMadeEdits(): () => Promise<number> {
  const account = useAccount()
  return async () =>
    account === null
      ? 0
      : (await readMadeEdits(account.db)).filter(({ state }) => state.kind === 'ready').length
}

/** Notes that a person looks at a device edit. */
export function useSeen(row: MadeFileRow): void {
  const db = useAccount()?.db ?? null
  const { clock } = useLocal()
  const note = useEffectEvent(
    async () => await db?.madeFiles.update(row.id, { seenAtEpochMs: clock.now() }),
  )
  const isNews = row.state.kind === 'ready' && row.seenAtEpochMs === null
  useEffect(() => {
    if (isNews) void note().catch(() => undefined)
  }, [isNews])
}

/**
 * One file of a device edit as the browser has it; null until it is read, and where it is gone.
 */
export function useMadeFile(row: MadeFileRow, index: number): File | null {
  const maker = useMaker()
  const [file, setFile] = useState<File | null>(null)
  const open = useEffectEvent(() => maker.open(row, index))
  const key = `${row.id} ${row.createdAtEpochMs} ${index}`
  useEffect(() => {
    let isLeft = false
    void open().then(
      (opened) => (isLeft ? undefined : setFile(opened)),
      () => undefined,
    )
    return () => {
      isLeft = true
    }
  }, [key])
  return file
}

/** Waits until the context that made something has ended, and writes down what it left. */
function useLeftMakes(areSome: boolean): void {
  const maker = useMaker()
  useEffect(() => {
    if (!areSome) return undefined
    const left = new AbortController()
    void maker.settle(left.signal).catch(() => undefined)
    return () => left.abort()
  }, [areSome, maker])
}

async function readMadeEdits(db: AccountDb): Promise<readonly MadeFileRow[]> {
  return db.madeFiles.orderBy('createdAtEpochMs').reverse().toArray()
}
