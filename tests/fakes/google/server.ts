import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { GooglePlaces } from '#server/drives/google.ts'
import type { Reach } from '#server/net/outgoing.ts'
import { answerFile, type GoogleFile, type GoogleTrouble } from './files.ts'
import { createWriting, type FakeWriting } from './writing.ts'

export const CLIENT_ID = '4711-onecut-test.apps.googleusercontent.com'
export const CLIENT_SECRET = 'the-secret-of-the-client'

/** What a person answers on Google's pages. */
export interface Consent {
  readonly decision?: 'allow' | 'deny'
  /** Scopes that are granted, where they are not those that were asked for. */
  readonly scopes?: string
  readonly fileId?: string
}

/**
 * Google on this machine: the page of consent, tokens, revocation, and files of Drive, over real
 * HTTP and by Google's public documents. Codes count once and want their verifier; a refresh token
 * comes with a consent only; the page of choice takes one scope.
 */
export interface FakeGoogle {
  readonly places: GooglePlaces
  /** Lets a test server read files from this machine, and from nowhere else. */
  readonly reach: Reach
  /** Files that are put into the drive. */
  readonly writing: FakeWriting
  /** The person who is signed in at Google. */
  email: string
  accessLifeS: number
  readonly files: Map<string, GoogleFile>
  /** Ranges of the requests for bytes, in order. */
  readonly ranges: (string | undefined)[]
  /** What the next requests for bytes get instead, in this order. */
  readonly troubles: GoogleTrouble[]
  /** What the next questions about files get instead, in this order. */
  readonly factTroubles: GoogleTrouble[]
  /** Statuses that the next requests to the token place get instead, in this order. */
  readonly tokenTroubles: number[]
  /** Statuses that the next requests to the place of revocation get instead. */
  readonly revokeTroubles: number[]
  /** Method and path of each request, in order. */
  readonly asked: string[]
  readonly revoked: string[]
  /** All tokens that were ever given out: none may be in a dump, a log or an answer. */
  readonly tokens: string[]
  /** Where a person who answers the page of an address is sent. */
  answer(loginUrl: string, consent?: Consent): Promise<URL>
  /** The person takes the access away on their account page. */
  removeAccess(): void
  /** Access tokens count no more from now on. */
  expireAccess(): void
  /** Refresh tokens count no more from now on; access tokens do until they end. */
  withdrawRefresh(): void
  stop(): Promise<void>
}

interface Grant {
  readonly email: string
  readonly scopes: string
}

interface Code extends Grant {
  readonly challenge: string
  readonly redirectUri: string
  readonly isOffline: boolean
}

/** @param tls of a host whose name the files are under, for a server that reads over https only */
export async function startFakeGoogle(
  tls: { readonly cert: string; readonly key: string; readonly host: string } | null = null,
): Promise<FakeGoogle> {
  const codes = new Map<string, Code>()
  const access = new Map<string, Grant>()
  const refresh = new Map<string, Grant>()
  const given: string[] = []
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://google')
    google.asked.push(`${request.method ?? ''} ${url.pathname}`)
    void route(url, request, response)
  }
  const server = createServer(answer)
  const filesServer = tls === null ? server : createSecureServer(tls, answer)
  const port = await listen(server)
  const filesPort = tls === null ? port : await listen(filesServer)
  const origin = `http://127.0.0.1:${port}`
  // A server asks no address literal.
  const named = (host: string): string =>
    tls === null ? `http://${host}:${port}` : `https://${tls.host}:${filesPort}`

  const token = (kind: string): string => {
    const made = `${kind}-${randomBytes(24).toString('base64url')}`
    given.push(made)
    return made
  }

  async function route(url: URL, request: IncomingMessage, response: ServerResponse) {
    if (url.pathname === '/auth') return authorise(url, response)
    if (google.writing.isAsked(url, request)) {
      if (grantOf(request)?.scopes.includes('/auth/drive.file') === true)
        return await google.writing.answer(url, request, response)
      // The rest of a body would keep the connection from its answer.
      request.resume()
      if (grantOf(request) === undefined) return refuse(response, 401, 'authError')
      return refuse(response, 403, 'insufficientPermissions')
    }
    const form = new URLSearchParams(request.method === 'POST' ? await text(request) : '')
    if (url.pathname === '/token') return giveTokens(form, response)
    if (url.pathname === '/revoke') return revoke(form, response)
    const grant = grantOf(request)
    if (grant === undefined) return refuse(response, 401, 'authError')
    if (!grant.scopes.includes('/auth/drive'))
      return refuse(response, 403, 'insufficientPermissions')
    if (url.pathname === '/drive/v3/about')
      return json(response, 200, { user: { emailAddress: grant.email } })
    const id = /^\/drive\/v3\/files\/([\w-]+)$/.exec(url.pathname)?.[1] ?? ''
    const file = google.files.get(id)
    if (file === undefined) return refuse(response, 404, 'notFound')
    const isBytes = url.searchParams.get('alt') === 'media'
    if (isBytes) google.ranges.push(request.headers.range)
    const trouble = (isBytes ? google.troubles : google.factTroubles).shift()
    answerFile({ isBytes, request, response, file, trouble })
  }

  function grantOf({ headers }: IncomingMessage): Grant | undefined {
    return access.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
  }

  function authorise(url: URL, response: ServerResponse): void {
    const asked = Object.fromEntries(url.searchParams)
    const { scope = '', redirect_uri: redirectUri = '', state = '', decision } = asked
    const picks = asked['trigger_onepick'] === 'true'
    const isValid =
      asked['client_id'] === CLIENT_ID &&
      asked['response_type'] === 'code' &&
      asked['code_challenge_method'] === 'S256' &&
      (!picks || (scope.endsWith('/auth/drive.file') && asked['prompt'] === 'consent'))
    if (!isValid) return void response.writeHead(400).end('invalid_request')
    if (decision === undefined)
      return void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(page(url, picks ? google.files : new Map()))
    const back = new URL(redirectUri)
    back.searchParams.set('state', state)
    if (decision === 'deny') back.searchParams.set('error', 'access_denied')
    else {
      const code = token('code')
      const scopes = asked['granted'] ?? scope
      back.searchParams.set('code', code)
      back.searchParams.set('scope', scopes)
      if (picks) back.searchParams.set('picked_file_ids', asked['file'] ?? '')
      codes.set(code, {
        email: google.email,
        scopes,
        challenge: asked['code_challenge'] ?? '',
        redirectUri,
        isOffline: asked['access_type'] === 'offline' && asked['prompt'] === 'consent',
      })
    }
    response.writeHead(302, { location: back.href }).end()
  }

  function giveTokens(form: URLSearchParams, response: ServerResponse): void {
    const trouble = google.tokenTroubles.shift()
    if (trouble !== undefined) return json(response, trouble, { error: 'server_error' })
    if (form.get('client_id') !== CLIENT_ID || form.get('client_secret') !== CLIENT_SECRET)
      return json(response, 401, { error: 'invalid_client' })
    const isRefresh = form.get('grant_type') === 'refresh_token'
    const grant = isRefresh ? refresh.get(form.get('refresh_token') ?? '') : takeCode(form)
    if (grant === undefined) return json(response, 400, { error: 'invalid_grant' })
    const accessToken = token('ya29')
    access.set(accessToken, grant)
    const answer: Record<string, unknown> = {
      access_token: accessToken,
      expires_in: google.accessLifeS,
      scope: grant.scopes,
      token_type: 'Bearer',
    }
    if ('isOffline' in grant && grant.isOffline) {
      const refreshToken = token('1//refresh')
      refresh.set(refreshToken, { email: grant.email, scopes: grant.scopes })
      answer['refresh_token'] = refreshToken
    }
    json(response, 200, answer)
  }

  function takeCode(form: URLSearchParams): Code | undefined {
    const name = form.get('code') ?? ''
    const code = codes.get(name)
    codes.delete(name)
    const verifier = form.get('code_verifier') ?? ''
    const isProven =
      code?.challenge === createHash('sha256').update(verifier).digest('base64url') &&
      code.redirectUri === form.get('redirect_uri')
    return isProven ? code : undefined
  }

  function revoke(form: URLSearchParams, response: ServerResponse): void {
    const trouble = google.revokeTroubles.shift()
    if (trouble !== undefined) return json(response, trouble, { error: 'server_error' })
    const name = form.get('token') ?? ''
    const isKnown = refresh.delete(name) || access.delete(name)
    if (!isKnown) return json(response, 400, { error: 'invalid_token' })
    access.clear()
    google.revoked.push(name)
    json(response, 200, {})
  }

  const google: FakeGoogle = {
    places: {
      authorise: `${origin}/auth`,
      token: `${named('oauth.google.example')}/token`,
      revoke: `${named('oauth.google.example')}/revoke`,
      api: `${named('drive.google.example')}/drive/v3`,
    },
    reach: {
      protocol: 'http:',
      answerMs: 2_000,
      isReachable: (address) => address === '127.0.0.1',
      resolve: async () => await Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    },
    writing: createWriting(),
    email: 'mara@gmail.example',
    accessLifeS: 3599,
    files: new Map(),
    ranges: [],
    troubles: [],
    factTroubles: [],
    tokenTroubles: [],
    revokeTroubles: [],
    asked: [],
    revoked: [],
    tokens: given,
    async answer(loginUrl, { decision = 'allow', scopes, fileId } = {}) {
      const url = new URL(loginUrl)
      url.searchParams.set('decision', decision)
      if (scopes !== undefined) url.searchParams.set('granted', scopes)
      if (fileId !== undefined) url.searchParams.set('file', fileId)
      const answer = await fetch(url, { redirect: 'manual' })
      if (answer.status !== 302) throw new Error(`Google answered ${answer.status}`)
      return new URL(answer.headers.get('location') ?? '')
    },
    removeAccess() {
      access.clear()
      refresh.clear()
    },
    expireAccess: () => access.clear(),
    withdrawRefresh: () => refresh.clear(),
    async stop() {
      for (const each of new Set([server, filesServer])) {
        each.closeAllConnections()
        await new Promise((resolve) => each.close(resolve))
      }
    },
  }
  return google
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** What a person sees: a choice of files where there is one, and the two answers. */
function page(url: URL, files: ReadonlyMap<string, GoogleFile>): string {
  const link = (name: string, more: Readonly<Record<string, string>>): string => {
    const to = new URL(url)
    for (const [key, value] of Object.entries(more)) to.searchParams.set(key, value)
    return `<p><a href="${to.search.replaceAll('&', '&amp;')}">${name}</a></p>`
  }
  const choices = [...files].map(([file, { name }]) => link(name, { decision: 'allow', file }))
  const allow = choices.length === 0 ? link('Allow', { decision: 'allow' }) : choices.join('')
  return `<!doctype html><title>Google</title><link rel="icon" href="data:,"><h1>Sign in with Google</h1>${allow}${link('Cancel', { decision: 'deny' })}`
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function refuse(response: ServerResponse, code: number, reason: string): void {
  json(response, code, { error: { code, message: reason, errors: [{ domain: 'global', reason }] } })
}
