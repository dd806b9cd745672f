import * as v from 'valibot'
import type { Ctx } from '#server/context.ts'
import { DriveFault, type Drive, type DriveFile } from '#server/drives/port.ts'
import { OutgoingError } from '#server/net/outgoing.ts'
import { freshToken } from '#server/operations/accounts/external-auths/tokens.ts'
import { ImportFault, ImportRefused } from '#server/operations/processing/imports/answers.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { notFound, Problem } from '#server/problems.ts'
import type { AskedImports, FileQuestion, FoundFile, ImportKind, RemoteFile } from './kind.ts'

/** The file as its drive and this server name it; a place is this, as JSON. */
const placeSchema = v.object({ externalAuthId: v.string(), fileId: v.string() })
type Place = v.InferOutput<typeof placeSchema>

/** Videos in Google Drive, by the connection of the person who chose them. */
export const driveImports: ImportKind<AskedImports['google-drive-picker-single-file']> = {
  isOffered: ({ settings }) => settings.googleDrive !== null,
  placeOf: ({ user }, { externalAuthId, googleDriveFileId: fileId }) => {
    requirePermission(user, 'create:uploadRequestGoogleDrivePicker')
    return JSON.stringify({ externalAuthId, fileId } satisfies Place)
  },
  look: lookAtDriveFile,
  reach: async (ctx, question) => await Promise.resolve(remoteFileOf(ctx, question)),
  advice: 'Please choose the file again, or upload it from a device.',
}

/**
 * Asks Drive what a file is. Refuses: `uploads/link-refused` with what is wrong with the file,
 * `uploads/link-away`, and as `freshToken`.
 */
async function lookAtDriveFile(ctx: Ctx, question: FileQuestion): Promise<FoundFile> {
  const file = await askDrive(
    ctx,
    question,
    async (drive, token, fileId) => await drive.readFile(token, fileId, question.signal),
  ).catch((error: unknown) => {
    throw problemOf(question.signal.aborted ? new DriveFault('away') : error)
  })
  const { sizeBytes, revision } = file
  const fault = faultOf(file)
  if (fault !== null || sizeBytes === null)
    throw new Problem('uploads/link-refused', fault ?? NOT_A_VIDEO)
  return {
    place: question.place,
    host: 'Google Drive',
    name: file.name,
    sizeBytes,
    validator: revision,
    md5: file.md5,
    externalAuthId: placeOf(question).externalAuthId,
    // Pieces of a version that has no name could be of two.
    takesRanges: revision !== null,
  }
}

function remoteFileOf(ctx: Ctx, question: FileQuestion): RemoteFile {
  const ask = async <Answer>(request: DriveRequest<Answer>): Promise<Answer> =>
    await askDrive(ctx, question, request).catch((error: unknown) => {
      throw question.signal.aborted ? error : importFaultOf(error)
    })
  return {
    open: async (asked) =>
      await ask(async (drive, token, fileId) => await drive.openFile(token, fileId, asked)),
    async confirm({ validator }) {
      const { signal } = question
      const file = await ask(
        async (drive, token, fileId) => await drive.readFile(token, fileId, signal),
      )
      if (file.isTrashed) throw new ImportFault('gone')
      if (!file.isDownloadable) throw new ImportRefused(NO_DOWNLOADS)
      if (file.revision !== validator) throw new ImportFault('changed')
    },
  }
}

type DriveRequest<Answer> = (drive: Drive, token: string, fileId: string) => Promise<Answer>

/** Asks with a token that counts; with a new one, once, where Drive refuses it. */
async function askDrive<Answer>(
  ctx: Ctx,
  question: FileQuestion,
  request: DriveRequest<Answer>,
): Promise<Answer> {
  const { externalAuthId, fileId } = placeOf(question)
  const { googleDrive } = ctx
  if (googleDrive === null) throw notFound('external-auths/not-found')
  const asked = { externalAuthId, userId: question.userId }
  const token = await freshToken(ctx, asked)
  try {
    return await request(googleDrive, token, fileId)
  } catch (error) {
    if (!isRefusedToken(error)) throw error
    const newer = await freshToken(ctx, { ...asked, worthless: token })
    return await request(googleDrive, newer, fileId)
  }
}

function isRefusedToken(error: unknown): boolean {
  return error instanceof DriveFault && error.kind === 'token'
}

function placeOf({ place }: Pick<FileQuestion, 'place'>): Place {
  return v.parse(placeSchema, JSON.parse(place))
}

const NOT_A_VIDEO = 'Only video files are accepted'
const NO_DOWNLOADS = 'The owner of this file does not allow downloads.'
const HARMFUL = 'Google takes this file for harmful and does not give it out.'
const NOT_THERE =
  'Google Drive has no such file for this server. Please choose the file again, and allow this server to read it.'

/** What speaks against a file, in a sentence; null where nothing does. */
function faultOf({ mimeType, isTrashed, isDownloadable }: DriveFile): string | null {
  if (mimeType === 'application/vnd.google-apps.shortcut')
    return 'This is a shortcut to a file. Please choose the file itself.'
  if (mimeType === 'application/vnd.google-apps.vid')
    return 'A project of Google Vids is no video file. Export it as MP4 in Google Vids, and choose that file.'
  if (!mimeType.startsWith('video/')) return NOT_A_VIDEO
  if (isTrashed) return 'This file is in the bin of Google Drive. Restore it there first.'
  return isDownloadable ? null : NO_DOWNLOADS
}

/** What keeps a person from beginning an import. */
function problemOf(error: unknown): unknown {
  if (error instanceof OutgoingError) return away(null)
  if (!(error instanceof DriveFault)) return error
  switch (error.kind) {
    case 'gone':
    case 'forbidden':
      return new Problem('uploads/link-refused', NOT_THERE)
    case 'not-downloadable':
      return new Problem('uploads/link-refused', NO_DOWNLOADS)
    case 'abusive':
      return new Problem('uploads/link-refused', HARMFUL)
    case 'token':
    case 'away':
      return away(error.retryAfterS)
  }
}

function away(retryAfterS: number | null): Problem {
  return new Problem(
    'uploads/link-away',
    'Google Drive does not give this file right now. Please try again in a moment.',
    { retryAfterS: retryAfterS ?? 10 },
  )
}

/** What an import that has begun ran into. */
function importFaultOf(error: unknown): unknown {
  if (error instanceof Problem)
    switch (error.code) {
      case 'external-auths/refresh-expired':
      case 'external-auths/permission-missing':
        return new ImportFault('sign-in')
      case 'external-auths/not-found':
        return new ImportRefused('Its Google Drive is connected no more.')
      case 'external-auths/away':
        return new ImportFault('away', error.retryAfterS)
      default:
        return error
    }
  if (!(error instanceof DriveFault)) return error
  switch (error.kind) {
    case 'gone':
    case 'forbidden':
      return new ImportFault('gone')
    case 'not-downloadable':
      return new ImportRefused(NO_DOWNLOADS)
    case 'abusive':
      return new ImportRefused(HARMFUL)
    case 'token':
    case 'away':
      return new ImportFault('away', error.retryAfterS)
  }
}
