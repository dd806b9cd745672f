import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { isLoopback } from '#server/addresses.ts'
import type { Deps } from '#server/deps.ts'
import type { FramePlace } from '#server/framed.ts'
import { askedHostname } from '#server/http/own-host.ts'
import { frameHeaders } from '#server/http/security-headers.ts'
import { refuseForeignOrigin } from '#server/http/xsrf.ts'
import {
  FOLLOW_S,
  FORM_S,
  issueFrameToken,
  spendFrameToken,
} from '#server/operations/accounts/frames/tokens.ts'
import { Problem } from '#server/problems.ts'
import {
  documentAddress,
  framePage,
  frameRefusal,
  TOKEN,
  withToken,
  type FrameDocument,
} from './frame-documents.ts'
import { sentToPublicOrigin } from './static.ts'

/**
 * Answers everything that is asked of the frames' origin: with documents for those who have a
 * token, and with 404 ([Note: origin of frames]). On this machine, whose second name everything
 * else here uses as well, only browsers are answered so; they say where a request comes from.
 */
export function createFrameHost(
  deps: Deps,
  documents: readonly FrameDocument[],
  common: Readonly<Record<string, string>>,
): MiddlewareHandler {
  const { frameOrigin } = deps.settings
  if (frameOrigin === null) return async (_c, next) => await next()
  const { hostname } = new URL(frameOrigin)
  const isOfMachine = isLoopback(hostname)
  const frames = createFrames(deps, documents, frameOrigin)
  const headers = Object.entries(frameHeaders(common))
  return async (c, next) => {
    if (askedHostname(c) !== hostname) return await next()
    if (isOfMachine && c.req.header('sec-fetch-site') === undefined) return await next()
    const answer = await frames.fetch(c.req.raw, c.env)
    for (const [name, value] of headers)
      if (!answer.headers.has(name)) answer.headers.set(name, value)
    return answer
  }
}

function createFrames(deps: Deps, documents: readonly FrameDocument[], frameOrigin: string): Hono {
  const { publicOrigin } = deps.settings
  const app = new Hono()
  for (const { path, isOffered, open, press } of documents) {
    if (!isOffered) continue
    app.get(path, async (c) => {
      try {
        const { user, sessionId, address, query } = await enter(deps, c)
        const next = issueFrameToken(deps, { sessionId, address }, FORM_S)
        const place: FramePlace = { appOrigin: publicOrigin, formAction: withToken(query, next) }
        return await framePage(c, await open({ ...deps, user }, c, place), place)
      } catch (error) {
        return frameRefusal(deps, error)
      }
    })
    if (press === undefined) continue
    app.post(path, async (c) => {
      try {
        const headers = Object.fromEntries(c.req.raw.headers)
        refuseForeignOrigin({ headers, publicOrigin: frameOrigin })
        const { user, sessionId, address, query } = await enter(deps, c)
        await press({ ...deps, user }, c)
        const next = issueFrameToken(deps, { sessionId, address }, FOLLOW_S)
        c.header('cache-control', 'no-store')
        return c.redirect(`${c.req.path}${withToken(query, next)}`, 303)
      } catch (error) {
        return frameRefusal(deps, error)
      }
    })
  }
  app.all('*', (c) => sentToPublicOrigin(c, publicOrigin) ?? frameRefusal(deps, opensOnce()))
  return app
}

/** The person whose token the address has, which is used up by this. */
async function enter(deps: Deps, c: Context) {
  const { path, query } = documentAddress(c)
  const address = `${path}?${query}`
  const found = await spendFrameToken(deps, { token: c.req.query(TOKEN) ?? '', address })
  if (found === null) throw opensOnce()
  return { ...found, address, query }
}

function opensOnce(): Problem {
  return new Problem(
    'request/not-found',
    'There is nothing here, or it was opened before. Go back to the app and open it there.',
  )
}
