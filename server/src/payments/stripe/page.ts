/**
 * The document in which a person pays by Stripe: Stripe's embedded page and a short script. It
 * tells the page around it, by `postMessage` to its origin alone, `{ payFrame: 'ready' | 'complete'
 * | 'expired' }`; 'ready' when Stripe's page is there.
 */
import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { APP_ORIGIN_SCRIPT, appAttribute, type FramePage, type FramePlace } from '#server/framed.ts'

/** Named after the version of the API. */
const STRIPE_JS = 'https://js.stripe.com/endive/stripe.js'

/** Origins whose frames ask the browser for a stored card (Apple Pay, Google Pay). */
export const WALLET_ORIGINS = ['https://js.stripe.com', 'https://checkout.stripe.com'] as const

/** The document of a session as it stands. Without live keys it says that no money moves. */
export function stripePage(
  session: Pick<Stripe.Checkout.Session, 'status' | 'client_secret'>,
  {
    publishableKey,
    isLive,
    place,
  }: { readonly publishableKey: string; readonly isLive: boolean; readonly place: FramePlace },
): FramePage {
  const state = stateOf(session)
  const label = isLive ? '' : '<p class="label"><strong>TEST - no money moves</strong></p>'
  const secret = session.client_secret ?? ''
  const content: Readonly<Record<PageState, string>> = {
    open: `<div id="checkout" data-key="${escapeHtml(publishableKey)}" data-secret="${escapeHtml(secret)}"></div>
<noscript><p>Paying needs JavaScript.</p></noscript>
<script src="${STRIPE_JS}"></script>`,
    complete: '<p>This payment is done. You can close this page.</p>',
    expired: '<p>This payment was not finished. Nothing was taken.</p>',
  }
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Payment</title><style>${STYLE}</style></head>
<body data-state="${state}"${appAttribute(place)}><main>
${label}
${content[state]}
</main><script>${SCRIPT}</script></body></html>`
  return { html, policy: POLICY }
}

type PageState = 'open' | 'complete' | 'expired'

function stateOf({ status }: Pick<Stripe.Checkout.Session, 'status'>): PageState {
  if (status === 'complete') return 'complete'
  return status === 'expired' ? 'expired' : 'open'
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const SCRIPT = `
function say(payFrame) {
  if (parent !== window) parent.postMessage({ payFrame }, ${APP_ORIGIN_SCRIPT})
}
const { state } = document.body.dataset
if (state !== 'open') say(state)
else if (window.Stripe) {
  const place = document.getElementById('checkout')
  const { key: publishableKey, secret: clientSecret } = place.dataset
  Stripe(publishableKey)
    .createEmbeddedCheckoutPage({ clientSecret, onComplete: () => say('complete') })
    .then((page) => {
      page.mount(place)
      say('ready')
    })
}
`

const STYLE = `
:root { color-scheme: light; --alarm: #b91c1c }
body { margin: 0; background: #ffffff; color: #1b1b25; font: 16px/1.5 system-ui, sans-serif }
p { margin: 1rem }
.label { padding: .5rem; border: 2px solid var(--alarm); color: var(--alarm); text-align: center }
`

const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

// What Stripe's security guide asks for with Stripe.js and Checkout, without the address search.
const POLICY = [
  "default-src 'none'",
  `script-src ${hash(SCRIPT)} https://js.stripe.com https://*.js.stripe.com https://checkout.stripe.com`,
  `style-src ${hash(STYLE)}`,
  'frame-src https://js.stripe.com https://*.js.stripe.com https://checkout.stripe.com https://hooks.stripe.com',
  'connect-src https://api.stripe.com https://checkout.stripe.com',
  'img-src https://*.stripe.com',
  "base-uri 'none'",
  "form-action 'none'",
]
