import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Frame, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { stripePage } from '#server/payments/stripe/page.ts'
import { AT_APP } from '#server/routes/frame-documents.ts'
import { sessionObject } from '#tests/fakes/stripe/objects.ts'
import { startChromium } from '#tests/setup/device-page.ts'

/** The page of the app as far as the frame goes: it keeps what it hears. */
const AROUND = `<!doctype html><script>
heard = []
addEventListener('message', ({ data, origin }) => heard.push([origin === location.origin, data.payFrame]))
</script><iframe src="/pay"></iframe>`

/** Stands in for Stripe's script: shows what it was given, and a frame of Stripe. */
const STRIPE_JS = `window.Stripe = (key) => ({
  createEmbeddedCheckoutPage: async ({ clientSecret, onComplete }) => ({
    mount(place) {
      place.dataset.shown = key + ' ' + clientSecret
      const frame = document.createElement('iframe')
      frame.src = 'https://checkout.stripe.com/c/pay'
      place.append(frame)
      window.finish = onComplete
    },
  }),
})`

let browser: Browser
let server: Server
let session = sessionObject('cs_test_1', 0, {}, 2000)
beforeAll(async () => {
  browser = await startChromium()
  server = createServer((request, response) => {
    const { html, policy } = stripePage(session, {
      publishableKey: 'pk_test_1',
      isLive: true,
      place: AT_APP,
    })
    const isPay = request.url === '/pay'
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(isPay
        ? { 'content-security-policy': policy.join('; '), 'x-frame-options': 'SAMEORIGIN' }
        : {}),
    })
    response.end(isPay ? html : AROUND)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  await browser.close()
  server.close()
})
beforeEach(() => {
  session = sessionObject('cs_test_1', 0, {}, 2000)
})

/** The app's page with the frame in it, and what the policy of the frame refused. */
async function open(scriptOfStripe: 'arrives' | 'is blocked') {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text())
  })
  await page.route('https://js.stripe.com/**', async (route) => {
    if (scriptOfStripe === 'is blocked') await route.abort()
    else await route.fulfill({ contentType: 'text/javascript', body: STRIPE_JS })
  })
  await page.route('https://checkout.stripe.com/**', (route) => route.fulfill({ body: 'Stripe' }))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const frame = page.frame({ url: /\/pay$/ })
  if (frame === null) throw new Error('There is no frame')
  await frame.waitForLoadState()
  return { page, frame, refused }
}

async function heard(page: Page): Promise<unknown> {
  return await page.evaluate('heard')
}

async function shown(frame: Frame): Promise<string | null> {
  return await frame.locator('#checkout').getAttribute('data-shown')
}

describe('the document of Stripe in its frame', () => {
  it("shows Stripe's page, and says when it is there and when it is paid", async () => {
    const { page, frame, refused } = await open('arrives')
    await page.waitForFunction('heard.length === 1')
    expect(await shown(frame)).toBe('pk_test_1 cs_test_1_secret_fake')
    await frame.frameLocator('iframe').getByText('Stripe').waitFor()
    await frame.evaluate('finish()')
    await page.waitForFunction('heard.length === 2')
    expect(await heard(page)).toEqual([
      [true, 'ready'],
      [true, 'complete'],
    ])
    expect(refused).toEqual([])
  })

  it('lets nothing else be reached', async () => {
    const { frame } = await open('arrives')
    const reach = async (address: string): Promise<unknown> =>
      await frame.evaluate(
        async (url) => await fetch(url).then(String, (error: Error) => error.message),
        address,
      )
    expect(await reach('https://elsewhere.example/')).toBe('Failed to fetch')
    expect(await reach('/editors/api/v1/users/me')).toBe('Failed to fetch')
  })

  it("says nothing without Stripe's script, so that the page around it offers another way", async () => {
    const { page } = await open('is blocked')
    expect(await heard(page)).toEqual([])
  })

  it.each(['complete', 'expired'] as const)(
    'says that it is %s, and asks Stripe for nothing',
    async (status) => {
      session.status = status
      const { page, refused } = await open('is blocked')
      await page.waitForFunction('heard.length === 1')
      expect(await heard(page)).toEqual([[true, status]])
      expect(refused).toEqual([])
    },
  )
})
