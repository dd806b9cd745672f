import * as v from 'valibot'
import type { Log } from '#server/log.ts'
import { DriveFault, type Drive, type DriveTokens } from './port.ts'

/** Where Google answers; another place only in the composition of a test. */
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
  readonly log: Log
}

const SCOPES = 'https://www.googleapis.com/auth/'
const LONGEST_ANSWER_MS = 10_000

/** Google Drive by its public interface, version 3, and Google's OAuth 2.0 for web servers. */
export function createGoogleDrive(parts: GoogleParts): Drive {
  const { places, scope } = parts
  return {
    loginUrl: ({ state, challenge, asksAgain }) => {
      const url = new URL(places.authorise)
      const asked = {
        client_id: parts.clientId,
        redirect_uri: parts.redirectUri,
        response_type: 'code',
        scope: SCOPES + scope,
        access_type: 'offline',
        include_granted_scopes: 'false',
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...(asksAgain ? { prompt: 'consent' } : {}),
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
      const answer = await post(places.revoke, { token })
      await answer.body?.cancel()
      // 400: it counts no more.
      if (!answer.ok && answer.status !== 400) throw new DriveFault('away')
    },
    async readEmail(accessToken) {
      const answer = await ask(`${places.api}/about?fields=user(emailAddress)`, {
        headers: { authorization: `Bearer ${accessToken}` },
      })
      const about = v.safeParse(aboutSchema, await answer.json().catch(() => null))
      if (!answer.ok || !about.success)
        throw new DriveFault(answer.status === 401 ? 'token' : 'away')
      return about.output.user.emailAddress ?? null
    },
  }
}

/** Whether granted scopes let files be downloaded: any of Drive's that reads content does. */
export function grantsDownload(scopes: string): boolean {
  return scopes.split(' ').some((granted) => /\/auth\/drive(?:\.file|\.readonly)?$/.test(granted))
}

const tokensSchema = v.object({
  access_token: v.pipe(v.string(), v.minLength(1)),
  expires_in: v.pipe(v.number(), v.minValue(0)),
  refresh_token: v.optional(v.string()),
  scope: v.optional(v.string()),
})
const aboutSchema = v.object({ user: v.object({ emailAddress: v.optional(v.string()) }) })
async function askForTokens(
  { clientId, clientSecret, places, log }: GoogleParts,
  form: Readonly<Record<string, string>>,
): Promise<DriveTokens> {
  const answer = await post(places.token, {
    ...form,
    client_id: clientId,
    client_secret: clientSecret,
  })
  const body: unknown = await answer.json().catch(() => null)
  if (!answer.ok) {
    const error = v.safeParse(v.object({ error: v.string() }), body)
    const code = error.success ? error.output.error : null
    // The code or the refresh token counts no more.
    if (code === 'invalid_grant') throw new DriveFault('token')
    // Keys that Google refuses are for the operator to mend; the person can only wait.
    log.warn('drives/google-refused', { status: answer.status, code })
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

async function post(address: string, form: Readonly<Record<string, string>>): Promise<Response> {
  return await ask(address, { method: 'POST', body: new URLSearchParams(form) })
}

async function ask(address: string, request: RequestInit): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(LONGEST_ANSWER_MS)
    return await fetch(address, { ...request, signal, redirect: 'error' })
  } catch {
    throw new DriveFault('away')
  }
}
