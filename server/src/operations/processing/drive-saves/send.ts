import { and, eq } from 'drizzle-orm'
import { plainFileName } from '#recipes/naming.ts'
import { plainName } from '#recipes/plain-names.ts'
import type { Ctx } from '#server/context.ts'
import type { DriveSaveRow, JobRow, OutputRow } from '#server/db/rows.ts'
import { driveSaves } from '#server/db/schema.ts'
import { seal, unseal, type VaultPlace } from '#server/db/vault.ts'
import {
  WriteFault,
  type DriveWriter,
  type WriteCall,
  type WrittenFile,
} from '#server/drives/writer.ts'
import { hashObject } from '#server/object-store/hash-object.ts'
import { freshToken } from '#server/operations/accounts/external-auths/tokens.ts'
import { isDiscreet } from '#server/operations/accounts/users/discreet.ts'
import { isOpenSave } from './enqueue.ts'
import { SaveEnded, type SaveProgress } from './progress.ts'

/** A save that is to be sent, and what it needs to know of its file. */
export interface OpenSave {
  readonly save: DriveSaveRow
  readonly output: Pick<OutputRow, 'fileName' | 'contentType' | 'objectKey'>
  readonly job: Pick<JobRow, 'name' | 'uploadRequestId'>
}

/** One try to save a file. */
export interface Sending extends OpenSave {
  readonly writer: DriveWriter
  readonly progress: SaveProgress
  readonly signal: AbortSignal
}

/** The file as it lies here. */
interface SentBytes {
  readonly objectKey: string
  readonly sizeBytes: number
}

/** What a drive takes at once: a multiple of 256 KiB, and little to send again after a break. */
const PIECE_BYTES = 8 * 1024 ** 2
/** Answers in a row that bring a file no further. */
const MAX_FRUITLESS = 3
const TOP_FOLDER = { mark: 'results', name: 'Onecut', parentId: null }
/** The same for people who chose plain names: folders that are there keep theirs. */
const PLAIN_TOP_FOLDER = { mark: 'results-plain', name: 'Clips', parentId: null }

/**
 * Brings a file into a drive, or what of it is missing there.
 *
 * [Note: one copy] The drive's id of the file is chosen and stored before the file is made, and a
 * drive makes one file of an id. So a process may die between any two steps: the next one asks the
 * session how far it is, or where that is over, whether the file is there, and only then begins
 * again. What arrived is compared with what lies here before it counts as saved.
 */
export async function sendFile(
  ctx: Ctx,
  sending: Sending,
): Promise<'saved' | 'damaged' | 'file-gone'> {
  const { objectKey } = sending.output
  const file = objectKey === null ? null : await ctx.store.head(objectKey)
  if (objectKey === null || file === null) return 'file-gone'
  const bytes = { objectKey, sizeBytes: file.sizeBytes }
  let current = sending
  for (;;) {
    const known = sessionOf(ctx, current.save)
    const hadId = current.save.fileId !== null
    if (known === null) {
      const found = await findArrived(ctx, current)
      if (found !== null) return await compare(ctx, { ...current, ...bytes, found })
    }
    const session = known ?? (await openSession(ctx, current, bytes.sizeBytes))
    const end = session === null ? 'taken' : await sendPieces(ctx, current, { ...bytes, session })
    current = { ...current, save: await change(ctx, current.save, { sessionCipher: null }) }
    // One that was stored before may be over; one that was just opened is looked after later.
    if (end === 'gone' && known !== null) continue
    const found = await findArrived(ctx, current)
    if (found !== null) return await compare(ctx, { ...current, ...bytes, found })
    if (end !== 'taken' || !hadId) throw new WriteFault('away')
    // A file of this id was there and is not any more.
    current = { ...current, save: await change(ctx, current.save, { fileId: null }) }
  }
}

/** Removes what a save has left in the drive, where it can. */
export async function removeSaved(
  ctx: Ctx,
  { save, writer, signal }: Pick<Sending, 'save' | 'writer' | 'signal'>,
): Promise<void> {
  const { id, fileId, externalAuthId, userId } = save
  if (fileId === null) return
  try {
    const token = await freshToken(ctx, { externalAuthId, userId })
    await writer.removeFile({ token, signal }, fileId)
    // Another file of this id will never be there.
    await ctx.db
      .update(driveSaves)
      .set({ fileId: null, sessionCipher: null, savedBytes: 0 })
      .where(and(eq(driveSaves.id, id), eq(driveSaves.fileId, fileId)))
  } catch (error) {
    ctx.log.warn('drives/not-removed', { driveSaveId: id, error })
  }
}

async function findArrived(ctx: Ctx, sending: Sending): Promise<WrittenFile | null> {
  const { fileId } = sending.save
  if (fileId === null) return null
  return await withToken(ctx, sending, (call) => sending.writer.findFile(call, fileId))
}

/** Opens a session in the folder of the video, and stores it; null where the id is taken. */
async function openSession(ctx: Ctx, sending: Sending, sizeBytes: number): Promise<string | null> {
  const { writer, output, job } = sending
  const ask = async <T>(work: (call: WriteCall) => Promise<T>): Promise<T> =>
    await withToken(ctx, sending, work)
  const id = sending.save.fileId ?? (await ask((call) => writer.newFileId(call)))
  await change(ctx, sending.save, { fileId: id })
  const isPlain = await isDiscreet(ctx, { userId: sending.save.userId })
  const top = isPlain ? PLAIN_TOP_FOLDER : TOP_FOLDER
  const parentId = await ask((call) => writer.ensureFolder(call, top))
  const folder = isPlain
    ? { mark: `${job.uploadRequestId}-plain`, name: plainName(job.uploadRequestId), parentId }
    : { mark: job.uploadRequestId, name: plainFileName(job.name), parentId }
  const folderId = await ask((call) => writer.ensureFolder(call, folder))
  const session = await ask((call) =>
    writer.openSession(call, {
      id,
      name: output.fileName ?? 'file',
      folderId,
      contentType: output.contentType ?? 'application/octet-stream',
      sizeBytes,
    }),
  )
  if (session === null) return null
  const sessionCipher = seal(ctx.secrets.vault, session, cipherOf(sending.save))
  await change(ctx, sending.save, { sessionCipher })
  return session
}

/** Sends what a session lacks, piece by piece. */
async function sendPieces(
  ctx: Ctx,
  sending: Sending,
  { session, objectKey, sizeBytes }: SentBytes & { readonly session: string },
): Promise<'complete' | 'gone'> {
  const { writer, progress } = sending
  const look = async () =>
    await withToken(ctx, sending, (call) => writer.readSession(call, session, sizeBytes))
  const write = async (start: number) =>
    await withToken(ctx, sending, async (call) => {
      const end = Math.min(start + PIECE_BYTES, sizeBytes) - 1
      const body = await ctx.store.read(objectKey, { start, end })
      const lengthBytes = end - start + 1
      return await writer.writePiece(call, session, { start, lengthBytes, sizeBytes, body })
    })
  let fruitless = 0
  for (let state = await look(); ;) {
    if (state.kind !== 'open') return state.kind
    const start = Math.min(state.heldBytes, sizeBytes)
    progress.onSaved(start)
    state = start < sizeBytes ? await write(start) : await look()
    fruitless = state.kind === 'open' && state.heldBytes <= start ? fruitless + 1 : 0
    if (fruitless >= MAX_FRUITLESS) throw new WriteFault('away')
  }
}

/** Whether what is in the drive is what lies here; what is not is removed there. */
async function compare(
  ctx: Ctx,
  {
    found,
    objectKey,
    sizeBytes,
    ...sending
  }: Sending & SentBytes & { readonly found: WrittenFile },
): Promise<'saved' | 'damaged'> {
  sending.progress.onSaved(sizeBytes)
  const isWhole = found.sizeBytes === sizeBytes
  if (
    isWhole &&
    (found.md5 === null || found.md5 === (await hashObject(ctx.store, objectKey, 'md5')))
  )
    return 'saved'
  const { fileId } = sending.save
  if (fileId !== null)
    await withToken(ctx, sending, (call) => sending.writer.removeFile(call, fileId))
  sending.progress.onSaved(0)
  await change(ctx, sending.save, { fileId: null })
  return 'damaged'
}

/** One question with a token that counts, and another where the drive refuses this one. */
async function withToken<T>(
  ctx: Ctx,
  { save: { externalAuthId, userId }, signal }: Pick<Sending, 'save' | 'signal'>,
  work: (call: WriteCall) => Promise<T>,
): Promise<T> {
  const question = { externalAuthId, userId }
  const token = await freshToken(ctx, question)
  try {
    return await work({ token, signal })
  } catch (error) {
    if (!(error instanceof WriteFault) || error.kind !== 'token') throw error
    const fresh = await freshToken(ctx, { ...question, worthless: token })
    return await work({ token: fresh, signal })
  }
}

/** Null also where the keys were replaced and forgotten. */
function sessionOf({ secrets }: Pick<Ctx, 'secrets'>, save: DriveSaveRow): string | null {
  const { sessionCipher } = save
  return sessionCipher === null ? null : unseal(secrets.vault, sessionCipher, cipherOf(save))
}

function cipherOf({ id, userId }: Pick<DriveSaveRow, 'id' | 'userId'>): VaultPlace {
  return { column: 'drive_saves.session_cipher', rowId: id, userId }
}

/** Throws `SaveEnded` where the save is not open any more. */
async function change(
  ctx: Ctx,
  { id }: Pick<DriveSaveRow, 'id'>,
  to: Partial<DriveSaveRow>,
): Promise<DriveSaveRow> {
  const [changed] = await ctx.db
    .update(driveSaves)
    .set(to)
    .where(and(eq(driveSaves.id, id), isOpenSave(ctx)))
    .returning()
  if (changed === undefined) throw new SaveEnded()
  return changed
}
