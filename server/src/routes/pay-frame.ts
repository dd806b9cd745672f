import { Hono, type Context } from 'hono'
import type { UserCtx } from '#server/context.ts'
import type { Deps } from '#server/deps.ts'
import { readBytes } from '#server/http/body.ts'
import { parseCookies, serialiseCookie } from '#server/http/cookies.ts'
import { problemAnswer } from '#server/http/problem-answer.ts'
import { signedOut } from '#server/http/request-context.ts'
import { refuseForeignOrigin } from '#server/http/xsrf.ts'
import { findCheckout } from '#server/operations/payments/find.ts'
import { Problem } from '#server/problems.ts'
import { createIdentify } from './session-cookies.ts'

const PATH = '/editors/pay/:sessionId'
const MAX_FORM_BYTES = 4 * 1024

/**
 * `/editors/pay/{sessionId}`: the document in which a person pays, shown in a frame of the app, so
 * that an upload goes on in the page around it. Its policy is its own, and it is the only answer
 * that may be framed. What another person began is 404.
 */
export function createPayFrame(deps: Deps): Hono {
  const app = new Hono()
  const identify = identifier(deps)

  app.get(PATH, async (c) => {
    try {
      const ctx = await identify(c)
      const { html, policy } = await deps.payments.page(await sessionOf(ctx, c))
      return c.html(html, 200, {
        'cache-control': 'no-store',
        'content-security-policy': policy,
        'x-frame-options': 'SAMEORIGIN',
      })
    } catch (error) {
      return refusal(deps, error)
    }
  })

  app.post(PATH, async (c) => {
    try {
      const headers = Object.fromEntries(c.req.raw.headers)
      refuseForeignOrigin({ headers, publicOrigin: deps.settings.publicOrigin })
      const ctx = await identify(c)
      const sessionId = await sessionOf(ctx, c)
      const { inner } = deps.payments
      if (inner === null) throw new Problem('request/not-found', 'There is nothing here.')
      const form = await readBytes(c.req.raw, { maxBytes: MAX_FORM_BYTES })
      const fields = new URLSearchParams(new TextDecoder().decode(form))
      await inner.press(sessionId, fields)
      return c.redirect(c.req.path, 303)
    } catch (error) {
      return refusal(deps, error)
    }
  })
  return app
}

/** The person of a request's cookies, which are renewed as by any call; or `auth/signed-out`. */
function identifier(deps: Deps): (c: Context) => Promise<UserCtx> {
  const identify = createIdentify(deps)
  const isSecure = deps.settings.publicOrigin.startsWith('https:')
  return async (c) => {
    const identity = await identify(
      parseCookies(c.req.header('cookie')),
      (name, value, options) => {
        c.header('set-cookie', serialiseCookie(name, value, options, isSecure), { append: true })
      },
    )
    if (identity === null) throw signedOut()
    return { ...deps, user: identity.user }
  }
}

/** The provider's id of the session in the path; or `payments/session-not-found`. */
async function sessionOf(ctx: UserCtx, c: Context<object, typeof PATH>): Promise<string> {
  const { providerSessionId } = await findCheckout(ctx, { sessionId: c.req.param('sessionId') })
  return providerSessionId
}

function refusal(deps: Deps, error: unknown): Response {
  const answer = problemAnswer(error, deps.newId(), deps.log)
  answer.headers.set('cache-control', 'no-store')
  return answer
}
