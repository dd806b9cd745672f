import { useEffect, useState } from 'react'
import { askToPersist } from '#src/hooks/device/ask-to-persist.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { useBlobUrl } from '#src/hooks/previews/use-blob-url.ts'
import { useLive } from '#src/hooks/sync/use-live.ts'
import { isServiceWorkerHere } from '#src/bridge/service-worker-bridge.ts'
import { keptFileAddress } from '#src/config/paths.ts'
import type { Keeping } from '#src/local/db/facts.ts'
import type { KeptFileRow } from '#src/local/db/rows.ts'
import {
  markOpened,
  markRemoved,
  readKeeping,
  setLimit,
  setRule,
} from '#src/local/kept/commands.ts'
import type { FileToGet } from '#src/local/kept/kept-files.ts'
import { limitOf, roomFor, takenBytes, type Estimate, type RoomFor } from '#src/local/kept/room.ts'

export type { KeptFileRow } from '#src/local/db/rows.ts'
export type { RoomFor } from '#src/local/kept/room.ts'

/** What a person does with the files that this device keeps. */
export interface Keeper {
  /** Whether there is room for a file, other than what is here of it. */
  roomFor(file: FileToGet): Promise<RoomFor>
  /** Keeps a result of a video. Call it from a press: some browsers ask the person. */
  keep(uploadRequestId: string, file: FileToGet): Promise<void>
  /** The same of a file that failed. */
  getAgain(file: FileToGet): Promise<void>
  remove(outputIds: readonly string[]): Promise<void>
  setRule(uploadRequestId: string, isOn: boolean): Promise<void>
  setLimit(limitBytes: number): Promise<void>
  /** It is played, saved or shared. */
  markOpened(outputId: string): Promise<void>
}

/** Null without an account, and where this browser keeps no files. */
export function useKeeper(): Keeper | null {
  const { clock } = useLocal()
  const account = useAccount()
  if (account === null || account.kept === null) return null
  const { db, shown } = account
  const { estimate, keep, getAgain, remove } = account.kept
  return {
    roomFor: async ({ outputId, sizeBytes }) => {
      // Of hidden scenes no file is offered to go, so that what they take lowers the limit.
      const [whole, all, keeping, estimated] = await Promise.all([
        db.keptFiles.toArray(),
        shown.keptFiles.toArray(),
        readKeeping(db),
        estimate(),
      ])
      const files = all.filter((row) => row.outputId !== outputId)
      const gotBytes = all.find((row) => row.outputId === outputId)?.gotBytes ?? 0
      const limitBytes = limitOf(keeping, estimated)
      const left = limitBytes - (takenBytes(whole) - takenBytes(all))
      const room = roomFor({ files, limitBytes: left, estimate: estimated }, sizeBytes, gotBytes)
      return room.kind === 'over-limit' ? { ...room, limitBytes } : room
    },
    keep: async (uploadRequestId, file) => {
      await keep(uploadRequestId, file)
      await askToPersist()
    },
    getAgain,
    remove,
    setRule: async (uploadRequestId, isOn) => {
      await setRule({ db, clock }, uploadRequestId, isOn)
      if (isOn) await askToPersist()
    },
    setLimit: (limitBytes) => setLimit({ db, clock }, limitBytes),
    markOpened: (outputId) => markOpened({ db, clock }, outputId),
  }
}

/** Those of these results that this device keeps or is to keep, by id. */
export function useKeptOf(outputIds: readonly string[]): ReadonlyMap<string, KeptFileRow> {
  const live = useLive(`kept:${outputIds.join()}`, async (db) => {
    const rows = await db.keptFiles.bulkGet([...outputIds])
    return new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.outputId, row]])))
  })
  return live.kind === 'ready' ? live.value : NONE
}
const NONE: ReadonlyMap<string, KeptFileRow> = new Map()

/** All kept files, opened last first, and the choices; null while they are read. */
export function useAllKept(): {
  readonly files: readonly KeptFileRow[]
  readonly keeping: Keeping
} | null {
  const live = useLive('kept', async (db) => ({
    files: await db.keptFiles.orderBy('lastOpenedAtEpochMs').reverse().toArray(),
    keeping: await readKeeping(db),
  }))
  return live.kind === 'ready' ? live.value : null
}

/** Whether new results of a video are kept; null while it is read. */
export function useKeepRule(uploadRequestId: string): boolean | null {
  const live = useLive(`keep-rule:${uploadRequestId}`, async (db) =>
    (await readKeeping(db)).rules.some((rule) => rule.uploadRequestId === uploadRequestId),
  )
  return live.kind === 'ready' ? live.value : null
}

/** What the browser says of its storage; null while it is asked. Asked again with each `key`. */
export function useEstimate(key: string): Estimate | null {
  const kept = useAccount()?.kept ?? null
  const [estimate, setEstimate] = useState<Estimate | null>(null)
  useEffect(() => {
    let isOver = false
    void kept?.estimate().then(
      (given) => {
        if (!isOver) setEstimate(given)
      },
      // What is not said is not known.
      () => {
        if (!isOver) setEstimate({})
      },
    )
    return () => {
      isOver = true
    }
  }, [kept, key])
  return estimate
}

/** Opens kept files by their names; null where one is not kept, or was removed by the browser. */
export function useOpenKept(): (
  rows: readonly (KeptFileRow | undefined)[],
) => Promise<readonly File[] | null> {
  const account = useAccount()
  return async (rows) => {
    const open = async (row: KeptFileRow | undefined): Promise<readonly File[]> => {
      const bytes = account?.kept?.bytes
      if (account === null || bytes === undefined || row?.state !== 'kept') return []
      const blob = await bytes.read(row.outputId, row.sizeBytes, row.contentType)
      if (blob === null) await markRemoved(account.db, row.outputId)
      return blob === null ? [] : [new File([blob], row.fileName, { type: row.contentType })]
    }
    const files = (await Promise.all(rows.map(open))).flat()
    return files.length === rows.length ? files : null
  }
}

/** A kept file that is here. */
export interface KeptBytesHere {
  /** For players and downloads; of a sealed file, answered by the service worker. */
  readonly address: string
  /** What may be handed to another app: bytes, or where they are. */
  readonly from: Blob | string
  /** What a download is called; null where the answer says so itself. */
  readonly download: string | null
}

/** A kept file; null while it is looked for, and where the browser has removed it. */
export function useKeptHere(row: KeptFileRow | null): KeptBytesHere | null {
  const blob = useKeptBlob(row)
  const address = useBlobUrl(blob instanceof Blob ? blob : null)
  if (row === null) return null
  if (typeof blob === 'string') return { address: blob, from: blob, download: null }
  return blob === null || address === null ? null : { address, from: blob, download: row.fileName }
}

interface Read {
  readonly outputId: string
  readonly blob: Blob | string
}

/** Its bytes, or where the service worker answers with them. */
function useKeptBlob(row: KeptFileRow | null): Blob | string | null {
  const account = useAccount()
  const [read, setRead] = useState<Read | null>(null)
  const {
    outputId = null,
    sizeBytes = 0,
    contentType = '',
    fileName = '',
    state = null,
  } = row ?? {}
  useEffect(() => {
    const bytes = account?.kept?.bytes
    if (account === null || bytes === undefined || outputId === null || state !== 'kept')
      return undefined
    let isOver = false
    const open = async (): Promise<void> => {
      const facts = { userId: account.userId, outputId, sizeBytes, fileName, contentType }
      const blob =
        account.db.keys !== null && isServiceWorkerHere()
          ? await bytes
              .isWhole(outputId, sizeBytes)
              .then((is) => (is ? keptFileAddress(facts) : null))
          : await bytes.read(outputId, sizeBytes, contentType)
      if (isOver) return
      if (blob === null) await markRemoved(account.db, outputId)
      else setRead({ outputId, blob })
    }
    // What cannot be read now is shown from the network, as without it.
    void open().catch(() => undefined)
    return () => {
      isOver = true
      setRead(null)
    }
  }, [account, outputId, sizeBytes, contentType, fileName, state])
  return read !== null && read.outputId === outputId ? read.blob : null
}
