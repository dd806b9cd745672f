import { Hono, type Context } from 'hono'
import { isLoopback } from '#server/addresses.ts'
import type { Deps } from '#server/deps.ts'
import { askedHostname } from '#server/http/own-host.ts'
import { signedOut } from '#server/http/request-context.ts'
import { refuseForeignOrigin } from '#server/http/xsrf.ts'
import { FOLLOW_S, issueFrameToken } from '#server/operations/accounts/frames/tokens.ts'
import { Problem } from '#server/problems.ts'
import {
  AT_APP,
  documentAddress,
  framePage,
  frameRefusal,
  withToken,
  type FrameDocument,
} from './frame-documents.ts'
import { createBrowserIdentify } from './session-cookies.ts'

/**
 * The addresses of frames at the app's origin ([Note: origin of frames]). They know the person by
 * the session cookie.
 */
export function createFrameDoors(deps: Deps, documents: readonly FrameDocument[]): Hono {
  const app = new Hono()
  const identify = createBrowserIdentify(deps)
  const known = async (c: Context) => {
    const identity = await identify(c)
    if (identity === null) throw signedOut()
    return identity
  }
  for (const document of documents) {
    app.get(document.path, async (c) => {
      try {
        refuseMissing(document)
        const { user, sessionId } = await known(c)
        const frameOrigin = frameOriginFor(deps, c)
        if (frameOrigin === null)
          return await framePage(c, await document.open({ ...deps, user }, c, AT_APP), AT_APP)
        return leadTo(deps, c, { frameOrigin, sessionId })
      } catch (error) {
        return frameRefusal(deps, error)
      }
    })
    const { press } = document
    if (press === undefined) continue
    app.post(document.path, async (c) => {
      try {
        if (frameOriginFor(deps, c) !== null) throw missing()
        refuseForeign(deps, c)
        const { user } = await known(c)
        await press({ ...deps, user }, c)
        return c.redirect(c.req.path, 303)
      } catch (error) {
        return frameRefusal(deps, error)
      }
    })
  }
  return app
}

/**
 * Where the document of a request is; null: here. A server of this machine that is asked by an
 * address, as from the same network, has only that one name there.
 */
function frameOriginFor({ settings }: Pick<Deps, 'settings'>, c: Context): string | null {
  const { frameOrigin, publicOrigin } = settings
  if (frameOrigin === null || !isLoopback(new URL(frameOrigin).hostname)) return frameOrigin
  return askedHostname(c) === new URL(publicOrigin).hostname ? frameOrigin : null
}

/**
 * Leads to the document. A document of the frames' origin cannot open another one, which would be
 * another provider's: browsers say where a navigation comes from.
 */
function leadTo(
  deps: Deps,
  c: Context,
  { frameOrigin, sessionId }: { readonly frameOrigin: string; readonly sessionId: string },
): Response {
  refuseForeign(deps, c)
  const { path, query } = documentAddress(c)
  const token = issueFrameToken(deps, { sessionId, address: `${path}?${query}` }, FOLLOW_S)
  c.header('cache-control', 'no-store')
  return c.redirect(`${frameOrigin}${path}${withToken(query, token)}`, 303)
}

function refuseForeign({ settings }: Pick<Deps, 'settings'>, c: Context): void {
  const headers = Object.fromEntries(c.req.raw.headers)
  refuseForeignOrigin({ headers, publicOrigin: settings.publicOrigin })
}

function refuseMissing({ isOffered }: FrameDocument): void {
  if (!isOffered) throw missing()
}

function missing(): Problem {
  return new Problem('request/not-found', 'There is nothing here.')
}
