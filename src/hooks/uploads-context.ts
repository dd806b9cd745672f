import { createContext, useContext } from 'react'
import { createMediaBridge, type MediaBridge } from '#src/bridge/media-bridge.ts'
import { createUploadBridge, type UploadBridge } from '#src/bridge/upload-bridge.ts'
import type { PageLocal } from '#src/local/compose.ts'
import { finishLooks } from '#src/local/probe/finish-looks.ts'
import type { UploadProgress } from '#src/local/uploads/api.ts'
import { openUpload } from '#src/local/uploads/open-upload.ts'
import { SECOND_MS } from '#src/lib/time.ts'

/** The screen and the upload come first. */
const FINISH_LOOKS_AFTER_MS = 3 * SECOND_MS

/** Newest progress of driven uploads, whichever tab drives them. Memory only. */
export interface ProgressStore {
  get(uploadId: string): UploadProgress | null
  subscribe(listener: () => void): () => void
}

/** Uploads as the page uses them. */
export interface Uploads {
  readonly bridge: UploadBridge
  readonly media: MediaBridge
  readonly progress: ProgressStore
}

/** Provide it once, in `main.tsx`: `<UploadsContext value={createUploads(local)}>`. */
export const UploadsContext = createContext<Uploads | null>(null)

/** The page's uploads. Throws outside of the provider: a bug of wiring. */
export function useUploadsContext(): Uploads {
  const uploads = useContext(UploadsContext)
  if (uploads === null) throw new Error('UploadsContext is missing')
  return uploads
}

/**
 * Wires bridges and progress for a page; goes on with unfinished uploads and closer looks of the
 * open account by itself.
 */
export function createUploads(local: PageLocal): Uploads {
  const media = createMediaBridge(local.clock)
  local.onSignOut(() => media.release())
  const finishLater = async (): Promise<void> => {
    const db = local.account()?.db
    if (db === undefined) return
    await local.clock.sleep(FINISH_LOOKS_AFTER_MS)
    await finishLooks({ ...local, db, media, open: (row) => openUpload(db, row, null) })
  }
  const finish = (): void =>
    void finishLater().catch(() => local.log.debug('closer looks were not finished'))
  local.subscribeAccount(finish)
  finish()
  return { bridge: createUploadBridge(local), media, progress: createProgressStore(local) }
}

function createProgressStore(local: PageLocal): ProgressStore {
  const newest = new Map<string, UploadProgress>()
  const listeners = new Set<() => void>()
  local.channel.on(
    'upload-progress',
    ({
      uploadId,
      safeBytes,
      inFlightBytes,
      bytesPerSecond,
      secondsLeft,
      quietForMs,
      pause,
      isUnsaved,
    }) => {
      newest.set(uploadId, {
        uploadId,
        safeBytes,
        inFlightBytes,
        bytesPerSecond: bytesPerSecond ?? 0,
        secondsLeft,
        quietForMs,
        pause,
        isUnsaved,
      })
      for (const listener of listeners) listener()
    },
  )
  return {
    get: (uploadId) => newest.get(uploadId) ?? null,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
