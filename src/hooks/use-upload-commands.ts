import { useMemo } from 'react'
import { useLocal } from './local-context.ts'
import { useUploadsContext, type Uploads } from './uploads-context.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { PageLocal } from '#src/local/compose.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { keepUploadPoster } from '#src/local/db/posters.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { earlierUpload } from '#src/local/probe/earlier-upload.ts'
import { deepCheckUpload } from '#src/local/probe/deep-check-upload.ts'
import type { ProbeFailure } from '#src/local/probe/report.ts'
import type { CommandResult, EngineCommands } from '#src/local/uploads/api.ts'
import { untilIdle } from '#src/local/uploads/when-idle.ts'
import { forgetDraft, ownDraft } from '#src/local/uploads/drafts.ts'
import { fileSource } from '#src/local/uploads/file-source.ts'
import { isSameFile } from '#src/local/uploads/fingerprint.ts'
import { chooseVideo, type ChooseRefusal, type ChosenVideo } from '#src/local/uploads/choose.ts'
import { webCryptoDigest } from '#src/local/uploads/hash.ts'

/** Pixels; sharp in the card at twice the density. */
const POSTER_WIDTH = 640

/** Everything a screen can do about uploads. No call throws; all are safe to repeat. */
export interface UploadCommands extends EngineCommands {
  /** Checks the file and makes its draft; nothing is sent. */
  choose(
    file: File,
    handle: FileSystemFileHandle | null,
    options?: { readonly purpose?: UploadRow['purpose'] },
  ): Promise<Result<ChosenVideo, ChooseRefusal>>
  /**
   * Asks the browser for the right to read the file again, and goes on; a left draft begins. Call
   * it directly in a click handler.
   */
  continueWithPermission(uploadId: string): Promise<CommandResult>
  /**
   * Ends the checks and pictures that `choose` and `poster` are still making: their file is not
   * wanted any more.
   */
  cancelChecks(): void
  poster(file: File): Promise<Result<Blob, ProbeFailure>>
  /**
   * Keeps a chosen video's picture for the screens that follow, also after a reload. Best effort.
   */
  keepPoster(uploadId: string, poster: Blob): Promise<void>
  filmstrip(
    file: File,
    count: number,
    width: number,
    onPicture: (index: number, picture: Blob) => void,
  ): Promise<Result<readonly Blob[], ProbeFailure>>
}

/** The commands; the same object for the life of the page. */
export function useUploadCommands(): UploadCommands {
  const local = useLocal()
  const uploads = useUploadsContext()
  // Effects depend on it.
  return useMemo(() => createCommands(local, uploads), [local, uploads])
}

function createCommands(local: PageLocal, { bridge, media }: Uploads): UploadCommands {
  const checks = new Set<string>()
  const owned = new Map<string, AbortController>()
  const own = (uploadId: string): Promise<void> => {
    const until = new AbortController()
    owned.set(uploadId, until)
    return ownDraft(bridge.locks, uploadId, until.signal)
  }
  const disown = (uploadId: string): void => {
    owned.get(uploadId)?.abort()
    owned.delete(uploadId)
  }
  const check = async <T>(work: (id: string) => Promise<T>): Promise<T> => {
    const id = local.ids.uuid()
    checks.add(id)
    return work(id).finally(() => checks.delete(id))
  }
  const deepCheck = async (db: AccountDb, uploadId: string, file: File): Promise<void> => {
    await untilIdle(
      { clock: local.clock, store: { read: async (id) => (await db.uploads.get(id)) ?? null } },
      uploadId,
    )
    await deepCheckUpload({ ...local, db, media }, uploadId, file)
  }
  const commands: UploadCommands = {
    ...bridge,
    choose: async (file, handle, options) => {
      const account = local.account()
      if (account === null) return err({ code: 'choose/not-saved' })
      const { db } = account
      const probe = (chosen: File) => check((id) => media.probe(chosen, { id }))
      return chooseVideo(
        {
          db,
          ids: local.ids,
          clock: local.clock,
          log: local.log,
          digest: webCryptoDigest,
          probe,
          own,
          findEarlier: earlierUpload,
        },
        file,
        handle,
        options?.purpose,
      )
    },
    start: async (uploadId, file) => {
      // Beside the upload as well: a browser short of space then spares what this upload keeps on
      // the device. Some ask the person.
      void askToPersist()
      const started = await bridge.start(uploadId, file)
      if (started.ok) disown(uploadId)
      const account = local.account()
      // Nobody waits for it, and its findings reach the row by themselves.
      if (started.ok && file !== null && account !== null)
        void deepCheck(account.db, uploadId, file).catch(() =>
          local.log.debug('a deep check was not begun'),
        )
      return started
    },
    discard: async (uploadId) => {
      const account = local.account()
      // A draft is nobody's but this device's: no worker is needed to forget it.
      const row = await account?.db.uploads.get(uploadId)
      if (account === null || row?.state.kind !== 'draft') return bridge.discard(uploadId)
      await forgetDraft(account.db, uploadId)
      disown(uploadId)
      return ok(undefined)
    },
    continueWithPermission: async (uploadId) => {
      const db = local.account()?.db
      const [stored, row] = await Promise.all([
        db?.handles.get(uploadId),
        db?.uploads.get(uploadId),
      ])
      if (stored === undefined || row === undefined) return err({ code: 'upload/not-possible' })
      try {
        if ((await stored.handle.requestPermission({ mode: 'read' })) !== 'granted')
          return err({ code: 'upload/not-possible' })
        const file = await stored.handle.getFile()
        if (row.state.kind !== 'draft') return await bridge.provideFile(uploadId, file, null)
        const same = await isSameFile(webCryptoDigest, fileSource(file), row, [])
        if (!same.ok) return err({ code: 'upload/file-unreadable' })
        return same.value
          ? await commands.start(uploadId, file)
          : err({ code: 'upload/draft-outdated' })
      } catch {
        return err({ code: 'upload/file-unreadable' })
      }
    },
    cancelChecks: () => {
      for (const id of checks) media.cancel(id)
    },
    poster: (file) => check((id) => media.poster(file, { id, width: POSTER_WIDTH })),
    keepPoster: async (uploadId, poster) => {
      const account = local.account()
      if (account !== null)
        await keepUploadPoster(
          { db: account.db, clock: local.clock, log: local.log },
          uploadId,
          poster,
        )
    },
    filmstrip: (file, count, width, onPicture) =>
      media.filmstrip(file, { id: local.ids.uuid(), count, width }, onPicture),
  }
  return commands
}

/**
 * Asks the browser not to clear this app's storage by itself; silent where it cannot or will not.
 */
async function askToPersist(): Promise<void> {
  if ('storage' in navigator && 'persist' in navigator.storage)
    await navigator.storage.persist().catch(() => false)
}
