/**
 * The documents of the provider `test`. The one that takes a payment is shown in a frame: it tells
 * the page around it, by `postMessage` to its origin alone, `{ payFrame: 'ready' | 'complete' |
 * 'expired' }`.
 */
import { createHash } from 'node:crypto'
import { APP_ORIGIN_SCRIPT, appAttribute, type FramePage, type FramePlace } from '#server/framed.ts'
import type { SessionPress, TestSession, TestSubscription } from './life.ts'
import type { MoneyPress, TestPayment } from './money-back.ts'

type Press = SessionPress | MoneyPress | 'renewals-succeed' | 'renewals-fail'

/** The document of a session as it stands; `payment` is the last money that it brought. */
export function payPage(
  session: TestSession,
  payment: TestPayment | null,
  place: FramePlace,
): FramePage {
  const { amountCents, product, description } = session
  const amount = `$${(amountCents / 100).toFixed(2)}${product === 'subscription' ? ' each month' : ''}`
  const html = documentOf(
    messageOf(session),
    `<h1>${escapeHtml(description)}</h1>
<p class="amount">${amount}</p>
${bodyOf(session)}
${payment === null ? '' : moneyOf(payment)}`,
    place,
  )
  return { html, policy: POLICY }
}

/** The document in which a person changes the card of a subscription, in a tab of its own. */
export function portalPage({ renewals, endedAt, invoices }: TestSubscription): FramePage {
  const isOwed = invoices.some((one) => one.paidAt === null)
  const card = renewals === 'succeed' ? 'pays' : 'is declined'
  const content = `<h1>Your card</h1>
<p>The card of this subscription ${card}.${isOwed ? ' A month is not paid.' : ''}</p>
${endedAt === null ? cardForm : '<p>This subscription is over.</p>'}
<p>You can close this page when you are done.</p>`
  return { html: documentOf('portal', content, IN_A_TAB), policy: POLICY }
}

const IN_A_TAB: FramePlace = { appOrigin: null, formAction: null }

function documentOf(state: string, content: string, place: FramePlace): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Test payment</title><style>${STYLE}</style></head>
<body data-state="${state}"${appAttribute(place)}><main>
<p class="label"><strong>TEST - no money moves</strong></p>
${place.formAction === null ? content : content.replaceAll(FORM, formTo(place.formAction))}
</main><script>${SCRIPT}</script></body></html>`
}

function messageOf({ stage }: TestSession): 'ready' | 'complete' | 'expired' {
  switch (stage.name) {
    case 'open':
    case 'declined':
    case 'second-step':
      return 'ready'
    case 'pending':
    case 'paid':
    case 'failed':
      return 'complete'
    case 'expired':
      return 'expired'
  }
}

function bodyOf({ stage, product }: TestSession): string {
  switch (stage.name) {
    case 'open':
      return openForm
    case 'declined':
      return `<p role="alert">Your card was declined. Try another one.</p>${openForm}`
    case 'second-step':
      return `<p>Your bank asks you to confirm this payment.</p>${form([
        ['pay', 'Confirm and pay'],
        ['decline', 'Refuse'],
      ])}`
    case 'pending':
      return '<p>The bank has taken the order to pay. The money arrives in 5 minutes.</p>'
    case 'paid':
      return `<p>Paid.</p>${product === 'subscription' ? renewalForm : ''}`
    case 'failed':
      return '<p role="alert">The bank refused the payment.</p>'
    case 'expired':
      return '<p>This payment was not finished. Nothing was taken.</p>'
  }
}

/** What went back of the last payment, and what its seller or its bank can do with it. */
function moneyOf({ refunds, dispute }: TestPayment): string {
  const cents = refunds.reduce((sum, refund) => sum + refund.amountCents, 0)
  const refunded = cents === 0 ? '' : `<p>Refunded: $${(cents / 100).toFixed(2)}.</p>`
  return `<h2>The last payment</h2>${refunded}${dispute === null ? '' : DISPUTE_WORDS[dispute.state]}${
    dispute?.state === 'open' ? disputeForm : moneyForm
  }`
}

const DISPUTE_WORDS = {
  open: '<p>Disputed: the bank has taken the money back.</p>',
  won: '<p>The dispute was won: the bank has returned the money.</p>',
  lost: '<p>The dispute was lost.</p>',
} as const

/** How every form begins; what people and their videos are called is escaped, so it is no other. */
const FORM = '<form method="post">'

function formTo(action: string): string {
  return `<form method="post" action="${escapeHtml(action)}">`
}

function form(buttons: readonly (readonly [Press, string])[], fields = ''): string {
  const list = buttons.map(
    ([press, words]) => `<button name="press" value="${press}">${words}</button>`,
  )
  return `${FORM}${list.join('\n')}${fields}</form>`
}

const DELIVERIES = `<fieldset><legend>Deliver the notice</legend>
<label><input type="radio" name="delivery" value="once" checked> once</label>
<label><input type="radio" name="delivery" value="twice"> twice</label>
<label><input type="radio" name="delivery" value="late"> 10 minutes late</label>
<label><input type="radio" name="delivery" value="never"> never</label></fieldset>`

const CARDS = `<fieldset><legend>Card</legend>
<label><input type="radio" name="card" value="new" checked> a new one</label>
<label><input type="radio" name="card" value="a"> card A</label>
<label><input type="radio" name="card" value="b"> card B</label></fieldset>`

const openForm = form(
  [
    ['pay', 'Pay'],
    ['decline', 'Decline'],
    ['second-step', 'Ask for a second step'],
    ['pay-late', 'Pay later'],
    ['fail-late', 'Fail later'],
    ['abandon', 'Abandon'],
  ],
  `${CARDS}${DELIVERIES}`,
)

const renewalForm = form([
  ['renewals-succeed', 'Let renewals succeed'],
  ['renewals-fail', 'Let renewals fail'],
])

const cardForm = form([
  ['renewals-succeed', 'Use a card that pays'],
  ['renewals-fail', 'Use a card that is declined'],
])

const disputeForm = form(
  [
    ['dispute-won', 'Decide the dispute for the payment'],
    ['dispute-lost', 'Decide the dispute against it'],
  ],
  DELIVERIES,
)

const moneyForm = form(
  [
    ['refund-half', 'Refund half'],
    ['refund-all', 'Refund all'],
    ['refund-fails', 'Let the last refund fail'],
    ['dispute', 'Dispute it at the bank'],
  ],
  DELIVERIES,
)

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const SCRIPT = `if (parent !== window) parent.postMessage({ payFrame: document.body.dataset.state }, ${APP_ORIGIN_SCRIPT})`

const STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1b1b25; --line: #8a8a9a; --accent: #4338ca; --alarm: #b91c1c }
@media (prefers-color-scheme: dark) { :root { --ground: #1c1c25; --ink: #ececf3; --accent: #a5a0ff; --alarm: #fca5a5 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 28rem; margin: 0 auto; padding: min(1rem, 6vw) }
.label { margin: 0; padding: .5rem; border: 2px solid var(--alarm); color: var(--alarm); text-align: center }
h1 { font-size: min(1.25rem, 18vw); margin: 1rem 0 0 }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem }
.amount { font-size: min(1.5rem, 18vw); margin: .25rem 0 1rem }
[role=alert] { color: var(--alarm) }
form { display: grid; gap: .5rem }
button { min-height: 2.75rem; font: inherit; border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: inherit; cursor: pointer }
button[value=pay] { background: var(--accent); color: var(--ground); border-color: var(--accent) }
button:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
fieldset { min-width: 0; border: 1px solid var(--line); border-radius: .5rem; display: flex; flex-wrap: wrap; gap: .25rem 1rem }
`

const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const POLICY = [
  "default-src 'none'",
  `script-src ${hash(SCRIPT)}`,
  `style-src ${hash(STYLE)}`,
  "base-uri 'none'",
  "form-action 'self'",
]
