import type { Store } from 'jotai'
import { createContext, useContext } from 'react'
import { progressAtom } from './progress-atoms.ts'
import { createProgressPace } from './progress-pace.ts'
import { createMediaBridge, type MediaBridge } from '#src/bridge/media-bridge.ts'
import { createUploadBridge, type UploadBridge } from '#src/bridge/upload-bridge.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import type { PageLocal } from '#src/local/compose.ts'
import { browserFiles } from '#src/local/db/account-files.ts'
import { createMaker, type Maker } from '#src/local/made/maker.ts'
import { finishDeepChecks } from '#src/local/probe/finish-deep-checks.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { readoptUploads } from '#src/local/uploads/page/adopt-upload.ts'
import { openUpload } from '#src/local/uploads/page/open-upload.ts'
import { SECOND_MS } from '#src/lib/time.ts'

/** The screen and the upload come first. */
const FINISH_LOOKS_AFTER_MS = 3 * SECOND_MS

/** Uploads as the page uses them. */
export interface Uploads {
  readonly bridge: UploadBridge
  readonly media: MediaBridge
  /** What this device makes of them itself. */
  readonly maker: Maker
}

/** Provide it once, in `main.tsx`: `<UploadsContext value={createUploads(local, store)}>`. */
export const UploadsContext = createContext<Uploads | null>(null)

/** The page's uploads. Throws outside of the provider: a bug of wiring. */
export function useUploadsContext(): Uploads {
  const uploads = useContext(UploadsContext)
  if (uploads === null) throw new Error('UploadsContext is missing')
  return uploads
}

/**
 * Wires bridges and progress for a page; goes on with unfinished uploads and deep checks of the
 * open account by itself.
 */
export function createUploads(local: PageLocal, store: Store): Uploads {
  const media = createMediaBridge(local.clock)
  local.onSignOut(() => media.release())
  const finishLater = async (): Promise<void> => {
    const db = local.account()?.db
    if (db === undefined) return
    await local.clock.sleep(FINISH_LOOKS_AFTER_MS)
    await finishDeepChecks({ ...local, db, media, open: (row) => openUpload(db, row, null) })
  }
  const finish = (): void =>
    void finishLater().catch(() => local.log.debug('deep checks were not finished'))
  local.subscribeAccount(finish)
  finish()
  followProgress(local, store)
  const bridge = createUploadBridge(local)
  const maker = createMaker({
    ...local,
    media,
    account: local.account,
    files: browserFiles(),
    storage: 'storage' in navigator ? navigator.storage : {},
    locks: bridge.locks,
  })
  local.onSignOut(maker.stop)
  local.deletions.subscribe(
    () =>
      void goOnAfterDeletion(local, bridge, media).catch((thrown: unknown) =>
        local.log.warn('uploads were not found again', describeBug(thrown)),
      ),
  )
  return { bridge, media, maker }
}

/**
 * The browser deleted this device's data under the page: uploads whose files the page still has go
 * on from what the server has.
 */
async function goOnAfterDeletion(
  local: PageLocal,
  bridge: UploadBridge,
  media: MediaBridge,
): Promise<void> {
  const db = local.account()?.db
  if (db === undefined) return
  const readopted = await readoptUploads(
    {
      ...local,
      db,
      digest: webCryptoDigest,
      probe: (file) => media.probe(file, { id: local.ids.uuid() }),
    },
    bridge.heldFiles(),
  )
  for (const { uploadId, file } of readopted) await bridge.provideFile(uploadId, file, null)
}

/** Keeps the newest progress of every upload that any tab or worker drives. */
function followProgress({ channel, clock, ports }: PageLocal, store: Store): void {
  let touchedAtMs = 0
  ports.onTouch(() => {
    touchedAtMs = clock.now()
  })
  const isDrawn = createProgressPace({
    now: clock.now,
    isVisible: ports.isVisible,
    touchedAtMs: () => touchedAtMs,
  })
  channel.on('upload-progress', ({ v: _version, type: _type, bytesPerSecond, ...news }) => {
    const progress = { ...news, bytesPerSecond: bytesPerSecond ?? 0 }
    if (isDrawn(progress))
      store.set(progressAtom, (newest) => new Map([...newest, [progress.uploadId, progress]]))
  })
}
