import { Hono, type Context } from 'hono'
import type { UserCtx } from '#server/context.ts'
import type { Deps } from '#server/deps.ts'
import { readBytes } from '#server/http/body.ts'
import { signedOut } from '#server/http/request-context.ts'
import { refuseForeignOrigin } from '#server/http/xsrf.ts'
import { findCheckout } from '#server/operations/commerce/payments/find.ts'
import { showPayPage } from '#server/operations/commerce/payments/show-page.ts'
import { findByProvider } from '#server/operations/commerce/subscriptions/portal.ts'
import { Problem } from '#server/problems.ts'
import { frameRefusal, type FrameDocument } from './frame-documents.ts'
import { createBrowserIdentify } from './session-cookies.ts'

const PATH = '/editors/pay/:sessionId'
const PORTAL_PATH = '/editors/pay/portal/:subscriptionId'
const MAX_FORM_BYTES = 4 * 1024

/**
 * `/editors/pay/{sessionId}`: the document in which a person pays, shown in a frame of the app, so
 * that an upload goes on in the page around it. What another person began is 404.
 */
export function payDocument({ payments }: Pick<Deps, 'payments'>): FrameDocument {
  return {
    path: PATH,
    isOffered: true,
    open: async (ctx, c, place) => await showPayPage(ctx, { sessionId: sessionIn(c), place }),
    ...(payments.inner === null
      ? {}
      : {
          press: async (ctx, c) => {
            const { providerSessionId } = await findCheckout(ctx, { sessionId: sessionIn(c) })
            await innerOf(ctx).press(providerSessionId, await readForm(c))
          },
        }),
  }
}

function sessionIn(c: Context): string {
  return c.req.param('sessionId') ?? ''
}

/**
 * The document of the provider `test` in which the card of a subscription is changed, in a tab of
 * its own. It loads nothing of others.
 */
export function createPayPortal(deps: Deps): Hono {
  const app = new Hono()
  const identify = identifier(deps)
  app.get(PORTAL_PATH, async (c) => {
    try {
      const { inner, subscriptionId } = await portalOf(deps, await identify(c), c)
      const { html, policy } = await inner.portalPage(subscriptionId)
      return c.html(html, 200, {
        'cache-control': 'no-store',
        'content-security-policy': [...policy, "frame-ancestors 'none'"].join('; '),
      })
    } catch (error) {
      return frameRefusal(deps, error)
    }
  })

  app.post(PORTAL_PATH, async (c) => {
    try {
      refuseForeignForm(deps, c)
      const { inner, subscriptionId } = await portalOf(deps, await identify(c), c)
      await inner.pressPortal(subscriptionId, await readForm(c))
      return c.redirect(c.req.path, 303)
    } catch (error) {
      return frameRefusal(deps, error)
    }
  })
  return app
}

/** The person of a request's cookies, which are renewed as by any call; or `auth/signed-out`. */
function identifier(deps: Deps): (c: Context) => Promise<UserCtx> {
  const identify = createBrowserIdentify(deps)
  return async (c) => {
    const identity = await identify(c)
    if (identity === null) throw signedOut()
    return { ...deps, user: identity.user }
  }
}

/** The inner provider and the id that it has for the subscription in the path. */
async function portalOf(deps: Deps, ctx: UserCtx, c: Context<object, typeof PORTAL_PATH>) {
  const inner = innerOf(deps)
  const subscriptionId = c.req.param('subscriptionId')
  await findByProvider(ctx, { subscriptionId })
  return { inner, subscriptionId }
}

function innerOf({ payments }: Pick<Deps, 'payments'>) {
  if (payments.inner === null) throw new Problem('request/not-found', 'There is nothing here.')
  return payments.inner
}

function refuseForeignForm({ settings }: Pick<Deps, 'settings'>, c: Context): void {
  const headers = Object.fromEntries(c.req.raw.headers)
  refuseForeignOrigin({ headers, publicOrigin: settings.publicOrigin })
}

async function readForm(c: Context): Promise<URLSearchParams> {
  const form = await readBytes(c.req.raw, { maxBytes: MAX_FORM_BYTES })
  return new URLSearchParams(new TextDecoder().decode(form))
}
