import * as v from 'valibot'
import type { Log } from '#server/log.ts'
import type { PostForm } from '#server/net/post-form.ts'
import { readJson } from '#server/net/read-json.ts'
import { readDriveError, type DriveAnswer, type DriveFetch } from './google-answers.ts'
import { DriveFault, type Drive, type DriveFile, type DriveTokens } from './port.ts'

/**
 * Where Google answers; another place only in the composition of a test. `get` and `post` of a
 * drive decide what is reached.
 */
export interface GooglePlaces {
  readonly authorise: string
  readonly token: string
  readonly revoke: string
  readonly api: string
}

export const GOOGLE: GooglePlaces = {
  authorise: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  revoke: 'https://oauth2.googleapis.com/revoke',
  api: 'https://www.googleapis.com/drive/v3',
}

/** What a server may ask of a person's drive: the files that they choose, or to read all. */
export type DriveScope = 'drive.file' | 'drive.readonly'

interface GoogleParts {
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: DriveScope
  /** Where Google sends people back to. */
  readonly redirectUri: string
  readonly places: GooglePlaces
  readonly get: DriveFetch
  readonly post: PostForm
  readonly log: Log
}

const SCOPES = 'https://www.googleapis.com/auth/'
const FILE_FIELDS = 'name,mimeType,size,md5Checksum,headRevisionId,trashed,capabilities/canDownload'
/** What Google's page of choice shows where the scope lets it. */
const VIDEO_TYPES = [
  'video/mp4',
  'video/quicktime',
  'video/x-matroska',
  'video/webm',
  'video/x-msvideo',
  'video/x-ms-wmv',
  'video/mpeg',
  'video/mp2t',
  'video/3gpp',
  'video/x-m4v',
  'video/x-flv',
]
/** The page of choice takes this scope and no other; results are saved by it too. */
const PICKED: DriveScope = 'drive.file'
const LONGEST_ANSWER_MS = 10_000

/** Google Drive by its public interface, version 3, and Google's OAuth 2.0 for web servers. */
export function createGoogleDrive(parts: GoogleParts): Drive {
  const { places, scope } = parts
  return {
    loginUrl: ({ state, challenge, asksAgain, wantsPick }) => {
      const url = new URL(places.authorise)
      const asked = {
        client_id: parts.clientId,
        redirect_uri: parts.redirectUri,
        response_type: 'code',
        scope: wantsPick ? SCOPES + PICKED : scopesOf(scope),
        access_type: 'offline',
        include_granted_scopes: 'false',
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...(asksAgain || wantsPick ? { prompt: 'consent' } : {}),
        ...(wantsPick
          ? { trigger_onepick: 'true', allow_multiple: 'false', mimetypes: VIDEO_TYPES.join(',') }
          : {}),
      }
      url.search = new URLSearchParams(asked).toString()
      return url.href
    },
    redeem: async (code, verifier) =>
      await askForTokens(parts, {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: parts.redirectUri,
      }),
    refresh: async (refreshToken) =>
      await askForTokens(parts, { grant_type: 'refresh_token', refresh_token: refreshToken }),
    async revoke(token) {
      const { status } = await ask(parts, places.revoke, { token })
      // 400: it counts no more.
      if (!isOk(status) && status !== 400) throw new DriveFault('away')
    },
    async readEmail(accessToken) {
      const link = `${places.api}/about?fields=user(emailAddress)`
      const { user } = await readForm(parts, aboutSchema, { accessToken, link })
      return user.emailAddress ?? null
    },
    async readFile(accessToken, fileId, signal) {
      const link = `${addressOf(places, fileId)}&fields=${FILE_FIELDS}`
      return toFile(await readForm(parts, fileSchema, { accessToken, link, signal }))
    },
    openFile: async (accessToken, fileId, { headers, signal }) =>
      await open(parts, {
        accessToken,
        link: `${addressOf(places, fileId)}&alt=media`,
        headers,
        signal,
      }),
  }
}

/** What a login asks for: the right to read all files saves none. */
function scopesOf(scope: DriveScope): string {
  return [...new Set([scope, PICKED])].map((name) => SCOPES + name).join(' ')
}

/** Whether granted scopes let files be downloaded: any of Drive's that reads content does. */
export function grantsDownload(scopes: string): boolean {
  return scopes.split(' ').some((granted) => /\/auth\/drive(?:\.file|\.readonly)?$/.test(granted))
}

/** Whether they let files be made: the right to read alone does not. */
export function grantsSaving(scopes: string): boolean {
  return scopes.split(' ').some((granted) => /\/auth\/drive(?:\.file)?$/.test(granted))
}

function addressOf({ api }: GooglePlaces, fileId: string): string {
  return `${api}/files/${encodeURIComponent(fileId)}?supportsAllDrives=true`
}

const tokensSchema = v.object({
  access_token: v.pipe(v.string(), v.minLength(1)),
  expires_in: v.pipe(v.number(), v.minValue(0)),
  refresh_token: v.optional(v.string()),
  scope: v.optional(v.string()),
})
const aboutSchema = v.object({ user: v.object({ emailAddress: v.optional(v.string()) }) })
const fileSchema = v.object({
  name: v.string(),
  mimeType: v.string(),
  // Whole numbers of 64 bits come as text.
  size: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/))),
  md5Checksum: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/i))),
  headRevisionId: v.optional(v.string()),
  trashed: v.optional(v.boolean(), false),
  capabilities: v.optional(v.object({ canDownload: v.optional(v.boolean(), true) }), {}),
})

function toFile(file: v.InferOutput<typeof fileSchema>): DriveFile {
  return {
    name: file.name,
    mimeType: file.mimeType,
    sizeBytes: file.size === undefined ? null : Number(file.size),
    revision: file.headRevisionId ?? null,
    md5: file.md5Checksum?.toLowerCase() ?? null,
    isDownloadable: file.capabilities.canDownload,
    isTrashed: file.trashed,
  }
}

async function askForTokens(
  parts: GoogleParts,
  form: Readonly<Record<string, string>>,
): Promise<DriveTokens> {
  const { clientId, clientSecret, places, log } = parts
  const client = { client_id: clientId, client_secret: clientSecret }
  const { status, body } = await ask(parts, places.token, { ...form, ...client })
  if (!isOk(status)) {
    const error = v.safeParse(v.object({ error: v.string() }), body)
    const code = error.success ? error.output.error : null
    // The code or the refresh token counts no more.
    if (code === 'invalid_grant') throw new DriveFault('token')
    // Keys that Google refuses are for the operator to mend; the person can only wait.
    log.warn('drives/google-refused', { status, code })
    throw new DriveFault('away')
  }
  const tokens = v.safeParse(tokensSchema, body)
  if (!tokens.success) throw new DriveFault('away')
  const { access_token, expires_in, refresh_token = null, scope = null } = tokens.output
  return {
    accessToken: access_token,
    accessLifeS: expires_in,
    refreshToken: refresh_token,
    scopes: scope,
  }
}

async function ask(
  { post }: GoogleParts,
  ...asked: Parameters<PostForm>
): Promise<Awaited<ReturnType<PostForm>>> {
  return await post(...asked).catch(() => {
    throw new DriveFault('away')
  })
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300
}

interface Asked {
  readonly accessToken: string
  readonly link: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A small answer in its form; anything else is no answer. */
async function readForm<Form extends v.GenericSchema>(
  parts: GoogleParts,
  form: Form,
  asked: Asked,
): Promise<v.InferOutput<Form>> {
  try {
    const { message } = await open(parts, asked)
    return v.parse(form, await readJson(message))
  } catch (error) {
    asked.signal?.throwIfAborted()
    throw error instanceof DriveFault ? error : new DriveFault('away')
  }
}

/** One request with the token; an answer other than 200 or 206 is read and thrown. */
async function open(
  { get }: GoogleParts,
  { accessToken, link, headers = {}, signal = AbortSignal.timeout(LONGEST_ANSWER_MS) }: Asked,
): Promise<DriveAnswer> {
  const answer = await get({
    link,
    headers: { ...headers, authorization: `Bearer ${accessToken}` },
    signal,
  })
  const { statusCode = 0 } = answer.message
  if (statusCode === 200 || statusCode === 206) return answer
  throw await readDriveError(answer.message)
}
