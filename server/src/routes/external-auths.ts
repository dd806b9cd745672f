import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import {
  listExternalAuths,
  refreshExternalAuths,
} from '#server/operations/accounts/external-auths/list.ts'
import {
  GOOGLE_CALLBACK_PATH,
  startGoogleLogin,
} from '#server/operations/accounts/external-auths/login.ts'
import { connectGoogleDrive, disconnectDrive } from '#server/operations/workflows/drives.ts'
import { Problem } from '#server/problems.ts'
import { viewExternalAuth } from '#server/views/external-auth.ts'
import { createBrowserIdentify } from './session-cookies.ts'

/** Where a person is sent who has no session: a navigation shows no error body. */
const SIGNED_OUT_PATH = '/'

/** Connected drives, and the way to Google and back. */
export function createExternalAuthRoutes(deps: Deps) {
  return {
    listExternalAuths: async ({ query, context }) => {
      const ctx = asUser(deps, context)
      const found = await (query.withFreshTokens === true
        ? refreshExternalAuths(ctx)
        : listExternalAuths(ctx))
      return { status: 200, body: { externalAuths: found.map(viewExternalAuth) } }
    },
    disconnectExternalAuth: async ({ params, context }) => {
      await disconnectDrive(asUser(deps, context), params)
      return { status: 204 }
    },
    startGoogleLogin: async ({ query, context }) => {
      const { googleDrive } = deps
      if (googleDrive === null)
        throw new Problem(
          'system/not-built',
          'Google Drive is not available here. Upload the video from your device instead.',
        )
      const { sessionId } = context
      if (sessionId === null) return goTo(SIGNED_OUT_PATH)
      const { externalAuthRedirectUri, forceRefreshTokens = false, pick = false } = query
      return goTo(
        await startGoogleLogin(
          { ...asUser(deps, context), sessionId, googleDrive },
          { externalAuthRedirectUri, forceRefreshTokens, pick },
        ),
      )
    },
  } satisfies Partial<Handlers>
}

/**
 * Where Google sends people back to. Not a call of the contract, which refuses what it does not
 * know: Google may add to its answer (RFC 6749 §4.1.2).
 */
export function createGoogleCallback(deps: Deps): Hono {
  const app = new Hono()
  const identify = createBrowserIdentify(deps)
  app.get(GOOGLE_CALLBACK_PATH, async (c) => {
    const { googleDrive } = deps
    if (googleDrive === null) return c.notFound()
    const identity = await identify(c)
    const location =
      identity === null
        ? SIGNED_OUT_PATH
        : await connectGoogleDrive({ ...deps, ...identity, googleDrive }, c.req.query())
    for (const [name, value] of Object.entries(UNSEEN)) c.header(name, value)
    return c.redirect(location, 302)
  })
  return app
}

/** The addresses hold a state or a code, so that no page and no cache learns them. */
const UNSEEN = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' }

function goTo(location: string) {
  return { status: 302 as const, headers: { location, ...UNSEEN } }
}
