import { QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react/pure'
import { PayFrame, type PayPurpose } from '#src/components/frames/PayFrame.tsx'
import { LocalContext } from '#src/hooks/device/local-context.ts'
import { createQueryClient } from '#src/hooks/sync/query-client.ts'
import type { CheckoutSession } from '#src/hooks/pay/use-checkout-session.ts'
import { MINUTE_MS, SECOND_MS } from '#src/lib/time.ts'
import { fakeCheckoutSession } from '#tests/fakes/fake-rows.ts'
import { CAPABILITIES } from './harness/creator.ts'
import { unreachable, type Answers } from './harness/fake-server.ts'
import { openScreen, type Screen } from './harness/open-screen.tsx'

interface Opened {
  readonly screen: Screen
  readonly onPaid: ReturnType<typeof vi.fn<() => void>>
  readonly onStartAgain: ReturnType<typeof vi.fn<() => void>>
  /** The document in the frame. */
  readonly inner: () => Document
}

interface Options {
  readonly session?: Partial<CheckoutSession>
  readonly purpose?: PayPurpose
  readonly answers?: Answers
  /** What the document posts when it has loaded; null for nothing. */
  readonly says?: string | null
}

/** Shows a session whose document is a real one of this origin, with a button that pays. */
async function openFrame(options: Options = {}): Promise<Opened> {
  const session = fakeCheckoutSession({
    payUrl: documentThatSays(options.says === undefined ? 'ready' : options.says),
    ...options.session,
  })
  const screen = await openScreen({
    path: '/edits',
    answers: { getTokenCheckoutSession: { stripeCheckoutSession: session }, ...options.answers },
  })
  const [onPaid, onStartAgain] = [vi.fn<() => void>(), vi.fn<() => void>()]
  await render(
    <LocalContext value={screen.local}>
      <QueryClientProvider client={createQueryClient()}>
        <MemoryRouter>
          <PayFrame
            session={session}
            purpose={options.purpose ?? 'tokens'}
            onPaid={onPaid}
            onStartAgain={onStartAgain}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </LocalContext>,
  )
  const inner = (): Document => {
    const found = document.querySelector('iframe')?.contentDocument ?? null
    if (found === null) throw new Error('there is no frame')
    return found
  }
  return { screen, onPaid, onStartAgain, inner }
}

function documentThatSays(says: string | null): string {
  const post = (word: string): string =>
    `parent.postMessage({ payFrame: '${word}' }, location.origin)`
  const script = `${says === null ? '' : post(says)}; const complete = () => ${post('complete')}`
  const html = `<!doctype html><title>Pay</title><script>${script}</script><button onclick="complete()">Pay</button>`
  const url = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
  onTestFinished(() => URL.revokeObjectURL(url))
  return url
}

const session = (changes: Partial<CheckoutSession>): Answers => ({
  getTokenCheckoutSession: { stripeCheckoutSession: fakeCheckoutSession(changes) },
})
const text = (words: string) => page.getByText(words)
const frame = () => page.elementLocator(document.body).getByTitle('Payment')

/** The document is shown once it says that it is ready; then the person presses its button. */
async function pay({ inner }: Opened): Promise<void> {
  await expect.element(frame()).toHaveStyle({ opacity: '1' })
  inner().querySelector('button')?.click()
}

test('WAL-09 a payment is paid when the server says so, and tells the screen once', async () => {
  const opened = await openFrame()
  await pay(opened)
  await expect.element(text('Payment received. Adding your tokens…')).toBeVisible()
  expect(opened.onPaid).not.toHaveBeenCalled()
  opened.screen.server.answer(session({ status: 'complete', payment: 'paid' }))
  await opened.screen.letTimePassUntil(text('Payment successful'))
  expect(opened.onPaid).toHaveBeenCalledTimes(1)
  const calls = opened.screen.server.calls('getTokenCheckoutSession').length
  await opened.screen.clock.advance(MINUTE_MS)
  expect(opened.screen.server.calls('getTokenCheckoutSession')).toHaveLength(calls)
})

test('LEG-01 the terms are beside a payment until it is paid, and open in a tab of their own', async () => {
  const opened = await openFrame()
  const terms = page.elementLocator(document.body).getByText(/^By paying you accept the/)
  await expect.element(terms).toBeVisible()
  for (const [name, href] of [
    ['Terms of Use', '/terms-of-use'],
    ['Terms and Conditions', '/terms-and-conditions'],
    ['Privacy Policy', '/privacy-policy'],
  ] as const) {
    const link = terms.getByRole('link', { name })
    await expect.element(link).toHaveAttribute('href', href)
    await expect.element(link).toHaveAttribute('target', '_blank')
  }
  await pay(opened)
  await expect.element(text('Payment received. Adding your tokens…')).toBeVisible()
  await expect.element(terms).not.toBeInTheDocument()
})

test('a payment that is not sure after two minutes may be left', async () => {
  const opened = await openFrame()
  await pay(opened)
  await expect.element(text('Payment received. Adding your tokens…')).toBeVisible()
  await opened.screen.clock.advance(MINUTE_MS)
  await expect.element(text('Payment received. Adding your tokens…')).toBeVisible()
  await opened.screen.letTimePassUntil(text('Your payment is on its way'))
  opened.screen.server.answer(session({ status: 'complete', payment: 'paid' }))
  await opened.screen.letTimePassUntil(text('Payment successful'))
})

test('a document that is silent for 15 s did not load, and may be tried again', async () => {
  const opened = await openFrame({ says: null })
  await expect.element(page.getByRole('status', { name: 'Loading the payment page' })).toBeVisible()
  await opened.screen.clock.advance(14 * SECOND_MS)
  await expect.element(page.getByRole('status', { name: 'Loading the payment page' })).toBeVisible()
  await opened.screen.letTimePassUntil(text('The payment page did not load'))
  const tab = page.getByRole('link', { name: 'Open in a new tab' })
  await expect.element(tab).toHaveAttribute('target', '_blank')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('status', { name: 'Loading the payment page' })).toBeVisible()
})

test('a payment in a tab of its own goes on here', async () => {
  const opened = await openFrame({ session: { presentation: 'redirect', payUrl: '/pay-there' } })
  await expect
    .element(page.getByRole('link', { name: 'Open in a new tab' }))
    .toHaveAttribute('href', '/pay-there')
  opened.screen.server.answer(session({ status: 'complete', payment: 'paid' }))
  await opened.screen.letTimePassUntil(text('Payment successful'))
})

test('an expired session took nothing and may be started again', async () => {
  const opened = await openFrame({ says: 'expired', answers: session({ status: 'expired' }) })
  await expect.element(text('This payment was not finished. Nothing was taken.')).toBeVisible()
  await page.getByRole('button', { name: 'Start again' }).click()
  expect(opened.onStartAgain).toHaveBeenCalledTimes(1)
})

test('a bank debit says how long it takes, and what it is for', async () => {
  await openFrame({ session: { status: 'complete', payment: 'pending' }, purpose: 'order' })
  await expect.element(text('Your bank needs up to 5 days')).toBeVisible()
  await expect.element(text('The order starts when the money arrives.')).toBeVisible()
})

test('a refused payment says that nothing was added', async () => {
  await openFrame({ session: { status: 'complete', payment: 'failed' } })
  await expect.element(text('The money did not arrive, so nothing was added.')).toBeVisible()
})

test('a subscription is followed by its own call', async () => {
  const paid = fakeCheckoutSession({ status: 'complete', payment: 'paid' })
  const opened = await openFrame({
    purpose: 'subscription',
    answers: { getSubscriptionCheckoutSession: { stripeCheckoutSession: paid } },
  })
  await pay(opened)
  await opened.screen.letTimePassUntil(text('Your monthly tokens are in your wallet.'))
  expect(opened.screen.server.calls('getTokenCheckoutSession')).toEqual([])
})

test('messages of other windows and other words count for nothing', async () => {
  const opened = await openFrame()
  await expect.element(frame()).toHaveStyle({ opacity: '1' })
  const { origin } = window.location
  const source = document.querySelector('iframe')?.contentWindow ?? null
  const post = (init: MessageEventInit) => window.dispatchEvent(new MessageEvent('message', init))
  post({ data: { payFrame: 'complete' }, origin, source: window })
  post({ data: { payFrame: 'complete' }, origin: 'https://elsewhere.example', source })
  post({ data: { payFrame: 'paid' }, origin, source })
  post({ data: 'complete', origin, source })
  await expect.element(frame()).toBeVisible()
  expect(opened.screen.server.calls('getTokenCheckoutSession')).toEqual([])
  post({ data: { payFrame: 'complete' }, origin, source })
  await expect.element(text('Payment received. Adding your tokens…')).toBeVisible()
})

test('TRU-11 the document is heard by the origin that the server keeps for frames', async () => {
  const frames = 'https://frames.example'
  const opened = await openFrame({
    says: null,
    answers: { getCapabilities: { capabilities: { ...CAPABILITIES, frameOrigin: frames } } },
  })
  const source = document.querySelector('iframe')?.contentWindow ?? null
  const post = (origin: string) =>
    window.dispatchEvent(
      new MessageEvent('message', { data: { payFrame: 'complete' }, origin, source }),
    )
  await expect.element(frame()).toHaveAttribute('src')
  post('https://frames.example.org')
  expect(opened.screen.server.calls('getTokenCheckoutSession')).toEqual([])
  post(frames)
  await expect.element(text('Payment received. Adding your tokens…')).toBeVisible()
})

test('a look that fails says so and is made again', async () => {
  const opened = await openFrame({ answers: { getTokenCheckoutSession: unreachable } })
  await pay(opened)
  await expect.element(page.getByText(/We look again by ourselves/)).toBeVisible()
  opened.screen.server.answer(session({ status: 'complete', payment: 'paid' }))
  await opened.screen.letTimePassUntil(text('Payment successful'))
})
