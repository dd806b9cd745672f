import * as v from 'valibot'
import { readJson } from '#server/net/read-json.ts'
import {
  readWriteFault,
  type DriveAnswer,
  type DriveFetch,
  type DriveRequest,
} from './google-answers.ts'
import { WriteFault, type DriveWriter, type SessionState, type WriteCall } from './writer.ts'

interface GoogleWriterParts {
  /** Drive's interface, version 3; uploads go to the same host. */
  readonly api: string
  readonly open: DriveFetch
}

/** One question to Drive. */
type Ask = (call: WriteCall, asked: Asked) => Promise<DriveAnswer>

const FOLDER_TYPE = 'application/vnd.google-apps.folder'
/** Only this program sees it: Drive keeps it for the client that set it. */
const MARK = 'onecut'

const idsSchema = v.object({ ids: v.pipe(v.array(v.string()), v.minLength(1)) })
const idSchema = v.object({ id: v.string() })
const listSchema = v.object({ files: v.array(idSchema) })
const fileSchema = v.object({
  // Whole numbers of 64 bits come as text.
  size: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/))),
  md5Checksum: v.optional(v.string()),
})

/** Google Drive by its public interface, version 3, and its resumable uploads. */
export function createGoogleWriter({ api, open }: GoogleWriterParts): DriveWriter {
  const uploads = new URL('/upload/drive/v3', api).href
  const ask: Ask = async (call, asked) => await request(open, call, asked)
  return {
    async newFileId(call) {
      const link = `${api}/files/generateIds?count=1&space=drive&type=files`
      const { ids } = await readAs(await ask(call, { link }), idsSchema)
      return ids[0] ?? ''
    },
    async findFile(call, id) {
      const link = `${addressOf(api, id)}?fields=size,md5Checksum`
      const answer = await ask(call, { link, expected: [404] })
      if (answer.message.statusCode === 404) return drop(answer, null)
      const { size, md5Checksum } = await readAs(answer, fileSchema)
      return { sizeBytes: Number(size ?? 0), md5: md5Checksum?.toLowerCase() ?? null }
    },
    async removeFile(call, id) {
      const writes = { method: 'DELETE' as const, body: '' }
      drop(await ask(call, { link: addressOf(api, id), writes, expected: [404] }), null)
    },
    ensureFolder: async (call, folder) => await ensureFolder(ask, api, call, folder),
    openSession: async (call, file) => await openSession(ask, uploads, call, file),
    readSession: async (call, session, sizeBytes) =>
      await stateOf(ask, call, {
        link: session,
        headers: { 'content-range': `bytes */${sizeBytes}`, 'content-length': '0' },
        writes: { method: 'PUT', body: '' },
      }),
    async writePiece(call, session, { start, lengthBytes, sizeBytes, body }) {
      try {
        const headers = {
          'content-range': `bytes ${start}-${start + lengthBytes - 1}/${sizeBytes}`,
          'content-length': String(lengthBytes),
        }
        return await stateOf(ask, call, { link: session, headers, writes: { method: 'PUT', body } })
      } finally {
        body.destroy()
      }
    },
  }
}

async function ensureFolder(
  ask: Ask,
  api: string,
  call: WriteCall,
  { mark, name, parentId }: Parameters<DriveWriter['ensureFolder']>[1],
): Promise<string> {
  const query = `appProperties has { key='${MARK}' and value='${mark}' } and mimeType='${FOLDER_TYPE}' and trashed=false`
  const search = new URLSearchParams({ q: query, fields: 'files(id)', pageSize: '1' })
  const found = await ask(call, { link: `${api}/files?${search.toString()}` })
  const [known] = (await readAs(found, listSchema)).files
  if (known !== undefined) return known.id
  const made = await ask(call, {
    link: `${api}/files?fields=id`,
    ...jsonBody({
      name,
      mimeType: FOLDER_TYPE,
      appProperties: { [MARK]: mark },
      ...(parentId === null ? {} : { parents: [parentId] }),
    }),
  })
  return (await readAs(made, idSchema)).id
}

async function openSession(
  ask: Ask,
  uploads: string,
  call: WriteCall,
  { id, name, folderId, contentType, sizeBytes }: Parameters<DriveWriter['openSession']>[1],
): Promise<string | null> {
  const { headers, writes } = jsonBody({ id, name, parents: [folderId] })
  const answer = await ask(call, {
    link: `${uploads}/files?uploadType=resumable&fields=id`,
    headers: {
      ...headers,
      'x-upload-content-type': contentType,
      'x-upload-content-length': String(sizeBytes),
    },
    writes,
    expected: [409],
  })
  const { statusCode, headers: answered } = answer.message
  const session = answered.location
  drop(answer, null)
  if (statusCode === 409) return null
  if (session === undefined) throw new WriteFault('away')
  return session
}

interface Asked extends Pick<DriveRequest, 'link' | 'writes'> {
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses beside success that are an answer. */
  readonly expected?: readonly number[]
}

/** One request with the token; an answer that was not expected is read and thrown. */
async function request(
  open: GoogleWriterParts['open'],
  { token, signal }: WriteCall,
  { headers = {}, expected = [], ...asked }: Asked,
): Promise<DriveAnswer> {
  const authorization = `Bearer ${token}`
  const answer = await open({ ...asked, headers: { ...headers, authorization }, signal })
  const { statusCode = 0 } = answer.message
  if ((statusCode >= 200 && statusCode < 300) || expected.includes(statusCode)) return answer
  throw await readWriteFault(answer.message)
}

/** Reads what a session answers (Drive, "Perform a resumable upload"). */
async function stateOf(ask: Ask, call: WriteCall, asked: Asked): Promise<SessionState> {
  const answer = await ask(call, { ...asked, expected: [308, 404, 409, 410] })
  const { statusCode, headers } = answer.message
  drop(answer, null)
  if (statusCode === 308) return { kind: 'open', heldBytes: heldBytesOf(headers.range) }
  // 409: another session made the file.
  const isGone = statusCode === 404 || statusCode === 409 || statusCode === 410
  return { kind: isGone ? 'gone' : 'complete' }
}

/** Without the header it holds nothing. */
function heldBytesOf(range: string | undefined): number {
  const last = /^bytes=0-(\d{1,15})$/.exec(range ?? '')?.[1]
  return last === undefined ? 0 : Number(last) + 1
}

function addressOf(api: string, id: string): string {
  return `${api}/files/${encodeURIComponent(id)}`
}

function jsonBody(value: unknown) {
  const body = JSON.stringify(value)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  }
  return { headers, writes: { method: 'POST' as const, body } }
}

/** Lets go of an answer whose body is not wanted. */
function drop<T>({ message }: DriveAnswer, value: T): T {
  message.destroy()
  return value
}

async function readAs<T>(
  { message }: DriveAnswer,
  schema: v.GenericSchema<unknown, T>,
): Promise<T> {
  const read = v.safeParse(schema, await readJson(message).catch(() => null))
  if (!read.success) throw new WriteFault('away')
  return read.output
}
