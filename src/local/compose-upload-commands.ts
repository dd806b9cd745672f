/**
 * What a person does with uploads, wired to the parts that do it. It is one file so that the same
 * account, engine and ports stand behind all commands of a page.
 */
import { err, ok, type Result } from '#src/lib/result.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import type { PageLocal } from '#src/local/compose.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { keepUploadPoster } from '#src/local/db/posters.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { MediaApi } from '#src/local/probe/api.ts'
import { deepCheckUpload } from '#src/local/probe/deep-check-upload.ts'
import { earlierUpload } from '#src/local/probe/earlier-upload.ts'
import type { ProbeFailure } from '#src/local/probe/report.ts'
import {
  adoptUpload,
  unfinishedElsewhere,
  type AdoptDeps,
  type AdoptRefusal,
} from '#src/local/uploads/page/adopt-upload.ts'
import type {
  CommandResult,
  EngineCommands,
  HandOverCommands,
  UploadCommandFailure,
} from '#src/local/uploads/api.ts'
import {
  chooseVideo,
  type ChooseRefusal,
  type ChosenVideo,
} from '#src/local/uploads/page/choose.ts'
import {
  setTrim,
  type Trim,
  type TrimmedVideo,
  type TrimRefusal,
} from '#src/local/uploads/page/trim.ts'
import { forgetDraft, ownDraft } from '#src/local/uploads/page/drafts.ts'
import { sentSource } from '#src/local/uploads/adapters/stored-bytes.ts'
import { fileOf, fileSource } from '#src/local/uploads/file/file-source.ts'
import { compareFile } from '#src/local/uploads/file/fingerprint.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import type { UploadLocks } from '#src/local/uploads/ports.ts'
import { LOOKING, untilIdle } from '#src/local/uploads/file/when-idle.ts'

/** Pixels; sharp in the card at twice the density. */
const POSTER_WIDTH = 640

/** Everything a screen can do about uploads. No call throws; all are safe to repeat. */
export interface UploadCommands extends EngineCommands, HandOverCommands {
  /** Checks the file and makes its draft; nothing is sent. */
  choose(
    file: File,
    handle: FileSystemFileHandle | null,
    options?: { readonly purpose?: UploadRow['purpose'] },
  ): Promise<Result<ChosenVideo, ChooseRefusal>>
  /**
   * Makes a draft one of a stretch of its file, or of the whole again (null). Checks what is left
   * as `choose` does, so that all facts of the row are those of what is sent. After the start it
   * refuses.
   * @param whole the file as it was chosen
   */
  setTrim(
    uploadId: string,
    whole: File,
    trim: Trim | null,
  ): Promise<Result<TrimmedVideo, TrimRefusal>>
  /**
   * Asks the browser for the right to read the file again, and goes on; a left draft begins. Call
   * it directly in a click handler.
   */
  continueWithPermission(uploadId: string): Promise<CommandResult>
  /**
   * Goes on with an upload that this device does not hold: takes its file, chosen again, and makes
   * the upload one of this device. A refusal has changed nothing. @returns the local id
   */
  continueElsewhere(
    uploadRequestId: string,
    file: File,
    handle: FileSystemFileHandle | null,
  ): Promise<Result<string, AdoptRefusal>>
  /**
   * Hands a file that was chosen again to an upload that this device has. One that asks for its
   * file goes on with it; of any other one the page has it for previews and device edits. Nothing
   * is sent that has arrived. Does nothing where this device does not have the upload.
   */
  giveAgain(uploadRequestId: string, file: File, handle: FileSystemFileHandle | null): Promise<void>
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

/** What only a page can do or has. */
export interface UploadCommandPorts {
  readonly local: PageLocal
  /** The way to the upload worker, and the locks by which pages know of each other's drafts. */
  readonly engine: EngineCommands & HandOverCommands & { readonly locks: UploadLocks }
  readonly media: Pick<MediaApi, 'probe' | 'deepCheck' | 'poster' | 'filmstrip'> & {
    cancel(id: string): unknown
  }
  /** Asks the person for the right to read a file; must be called in a click handler. */
  readonly mayRead: (handle: FileSystemFileHandle) => Promise<boolean>
  /** Asks the browser not to clear this app's storage on its own; never rejects. */
  readonly askToPersist: () => Promise<unknown>
}

/** What the engine says of a file for an upload that was just made one of this device. */
const GIVEN_REFUSALS: Readonly<
  Partial<
    Record<
      UploadCommandFailure['code'],
      Exclude<AdoptRefusal['code'], 'adopt/other-size' | 'adopt/no-answer'>
    >
  >
> = {
  'upload/file-differs': 'adopt/other-content',
  'upload/file-unreadable': 'adopt/unreadable',
  'upload/not-found': 'adopt/not-open',
}

/** Joins the engine's commands with what the page adds: checks, drafts, pictures, permission. */
export function composeUploadCommands(ports: UploadCommandPorts): UploadCommands {
  const { local, engine, media } = ports
  const drafts = createOwnedDrafts(engine.locks)
  const checks = createChecks(ports)
  // No command waits for it, and its findings reach the row on their own.
  const checkDeeply = (db: AccountDb, uploadId: string, file: File): void =>
    void deepCheck(ports, db, uploadId, file).catch((thrown: unknown) =>
      local.log.debug('a deep check was not begun', describeBug(thrown)),
    )
  const poster: UploadCommands['poster'] = (file) =>
    checks.run((id) => media.poster(file, { id, width: POSTER_WIDTH }))
  const start: EngineCommands['start'] = async (uploadId, chosen) => {
    const file = chosen === null ? null : await sentFile(local, uploadId, chosen)
    // During the upload as well: a browser short of space then spares what this upload keeps on the
    // device.
    void ports.askToPersist()
    const started = await engine.start(uploadId, file)
    if (!started.ok) return started
    drafts.disown(uploadId)
    const db = local.account()?.db
    if (file !== null && db !== undefined) checkDeeply(db, uploadId, file)
    return started
  }
  const provideFile: EngineCommands['provideFile'] = async (uploadId, file, handle) =>
    engine.provideFile(uploadId, await sentFile(local, uploadId, file), handle)
  return {
    ...engine,
    start,
    choose: createChoose(ports, checks, drafts.own),
    provideFile,
    giveAgain: createGiveAgain(local, provideFile),
    setTrim: createSetTrim(ports, checks, poster),
    discard: async (uploadId) => {
      const db = local.account()?.db
      // A draft is on this device only, so it needs no worker.
      const row = await db?.uploads.get(uploadId)
      if (db === undefined || row?.state.kind !== 'draft') return engine.discard(uploadId)
      await forgetDraft(db, uploadId)
      drafts.disown(uploadId)
      return ok(undefined)
    },
    continueElsewhere: async (uploadRequestId, file, handle) => {
      const continued = await continueElsewhere(ports, checks, uploadRequestId, file, handle)
      const db = local.account()?.db
      if (continued.ok && db !== undefined)
        checkDeeply(db, continued.value, await sentFile(local, continued.value, file))
      return continued
    },
    continueWithPermission: (uploadId) => continueWithPermission(ports, start, uploadId),
    cancelChecks: checks.cancel,
    poster,
    keepPoster: (uploadId, poster) => keepPoster(local, uploadId, poster),
    filmstrip: (file, count, width, onPicture) =>
      media.filmstrip(file, { id: local.ids.uuid(), count, width }, onPicture),
  }
}

function createSetTrim(
  ports: UploadCommandPorts,
  checks: Checks,
  poster: UploadCommands['poster'],
): UploadCommands['setTrim'] {
  const { local } = ports
  return async (uploadId, whole, trim) => {
    const db = local.account()?.db
    if (db === undefined) return err({ code: 'choose/not-saved' })
    const set = await setTrim(checkDeps(ports, db, checks), uploadId, whole, trim)
    // The kept picture may be of what is cut away.
    if (set.ok)
      void poster(set.value.file).then((made) =>
        made.ok ? keepPoster(local, uploadId, made.value) : undefined,
      )
    return set
  }
}

function createGiveAgain(
  local: PageLocal,
  provideFile: EngineCommands['provideFile'],
): UploadCommands['giveAgain'] {
  return async (uploadRequestId, file, handle) => {
    const uploads = local.account()?.db.uploads
    const row = await uploads?.where('uploadRequestId').equals(uploadRequestId).first()
    // The screen of the upload says where it stands, also where it took nothing.
    if (row !== undefined) await provideFile(row.id, file, handle)
  }
}

/** The drafts chosen in this page: other pages leave them alone while it lives. */
function createOwnedDrafts(locks: UploadLocks) {
  const owned = new Map<string, AbortController>()
  return {
    own: (uploadId: string): Promise<void> => {
      const until = new AbortController()
      owned.set(uploadId, until)
      return ownDraft(locks, uploadId, until.signal)
    },
    disown: (uploadId: string): void => {
      owned.get(uploadId)?.abort()
      owned.delete(uploadId)
    },
  }
}

/** The checks and pictures that are being made, so that they can be cancelled together. */
function createChecks({ local, media }: UploadCommandPorts) {
  const running = new Set<string>()
  return {
    run: async <T>(work: (id: string) => Promise<T>): Promise<T> => {
      const id = local.ids.uuid()
      running.add(id)
      return work(id).finally(() => running.delete(id))
    },
    cancel: (): void => {
      for (const id of running) media.cancel(id)
    },
  }
}

type Checks = ReturnType<typeof createChecks>

function createChoose(
  ports: UploadCommandPorts,
  checks: Checks,
  own: (uploadId: string) => Promise<void>,
): UploadCommands['choose'] {
  return async (file, handle, options) => {
    const db = ports.local.account()?.db
    if (db === undefined) return err({ code: 'choose/not-saved' })
    return chooseVideo({ ...checkDeps(ports, db, checks), own }, file, handle, options?.purpose)
  }
}

/** What a file is checked with, at its choice and when it is trimmed. */
function checkDeps(
  { local, media }: UploadCommandPorts,
  db: AccountDb,
  { run }: Pick<Checks, 'run'>,
) {
  const deps = { ...local, db, digest: webCryptoDigest }
  const shown = local.account()?.shown ?? db
  return {
    ...deps,
    shown,
    probe: (file: File) => run((id) => media.probe(file, { id })),
    findEarlier: earlierUpload,
    findElsewhere: (file: File) => unfinishedElsewhere({ ...deps, db: shown }, file),
  }
}

/**
 * What is sent of a chosen file: itself, or the trim of the upload. Pages and workers hold the
 * trim, so that nothing has to be composed again. A file of which it cannot be is left to the
 * engine, which compares it.
 */
async function sentFile(local: PageLocal, uploadId: string, file: File): Promise<File> {
  const db = local.account()?.db
  const row = await db?.uploads.get(uploadId).catch(() => undefined)
  if (db === undefined || row?.trim === undefined) return file
  const source = await sentSource(db, row, fileSource(file)).catch(() => null)
  return source === null ? file : fileOf(source)
}

async function continueElsewhere(
  { local, engine, media, askToPersist }: UploadCommandPorts,
  checks: Checks,
  uploadRequestId: string,
  file: File,
  handle: FileSystemFileHandle | null,
): Promise<Result<string, AdoptRefusal>> {
  const db = local.account()?.db
  if (db === undefined) return err({ code: 'adopt/not-saved' })
  const probe: AdoptDeps['probe'] = (chosen) => checks.run((id) => media.probe(chosen, { id }))
  const deps: AdoptDeps = { ...local, db, digest: webCryptoDigest, probe }
  const adopted = await adoptUpload(deps, uploadRequestId, file)
  if (!adopted.ok) return adopted
  void askToPersist()
  const sent = await sentFile(local, adopted.value, file)
  const given = await engine.provideFile(adopted.value, sent, handle)
  // A worker that starts with the file in hand has taken it already.
  if (given.ok || given.error.code === 'upload/not-possible') return adopted
  return err({ code: GIVEN_REFUSALS[given.error.code] ?? 'adopt/not-saved' })
}

async function keepPoster(local: PageLocal, uploadId: string, poster: Blob): Promise<void> {
  const db = local.account()?.db
  if (db !== undefined) await keepUploadPoster({ ...local, db }, uploadId, poster)
}

/** Checks a video deeply once the upload leaves the device time for it. */
async function deepCheck(
  { local, media }: UploadCommandPorts,
  db: AccountDb,
  uploadId: string,
  file: File,
): Promise<void> {
  const store = { read: async (id: string) => (await db.uploads.get(id)) ?? null }
  await untilIdle({ clock: local.clock, store }, uploadId, LOOKING)
  await deepCheckUpload({ ...local, db, media }, uploadId, file)
}

async function continueWithPermission(
  { local, engine, mayRead }: UploadCommandPorts,
  start: EngineCommands['start'],
  uploadId: string,
): Promise<CommandResult> {
  const db = local.account()?.db
  const [stored, row] = await Promise.all([db?.handles.get(uploadId), db?.uploads.get(uploadId)])
  if (stored === undefined || row === undefined) return err({ code: 'upload/not-possible' })
  try {
    if (!(await mayRead(stored.handle))) return err({ code: 'upload/not-possible' })
    const chosen = await stored.handle.getFile()
    const file = await sentFile(local, uploadId, chosen)
    if (row.state.kind !== 'draft') return await engine.provideFile(uploadId, file, null)
    const compared = await compareFile(webCryptoDigest, fileSource(file), row, [])
    if (!compared.ok) return err({ code: 'upload/file-unreadable' })
    return compared.value === 'differs'
      ? err({ code: 'upload/draft-outdated' })
      : await start(uploadId, file)
  } catch (thrown) {
    local.log.debug('a file could not be read again', describeBug(thrown))
    return err({ code: 'upload/file-unreadable' })
  }
}
