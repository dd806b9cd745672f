import type { Browser, Frame, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startChromium } from '#tests/setup/device-page.ts'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import { payer } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

const CHOOSER = '/editors/connect/dropbox'
let server: TestServer
let frames: string
let me: SignedUp
let now = Date.parse('2026-11-28T12:00:00Z')
beforeAll(async () => {
  server = await startTestServer({
    clock: () => new Date(now),
    env: { ONECUT_FRAME_ORIGIN: '', DROPBOX_APP_KEY: 'abc123def456' },
  })
  frames = server.origin.replace('localhost', '127.0.0.1')
  me = await server.signUp()
})
afterAll(async () => await server.stop())

/** Where the door of a document leads. */
async function addressOf(path: string, { client } = me): Promise<string> {
  const { status, headers } = await client.get(path)
  expect(status).toBe(303)
  expect(headers.get('cache-control')).toBe('no-store')
  return headers.get('location') ?? ''
}

/** As a browser asks from a document of the frames' origin, which has no cookie there. */
async function ask(address: string, init: RequestInit = {}) {
  const answer = await fetch(address, {
    redirect: 'manual',
    ...init,
    headers: { 'sec-fetch-site': 'same-origin', ...init.headers },
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

describe('TRU-11 the origin of frames', () => {
  it('is the other name of this machine, and the app says so', async () => {
    const { body } = await me.client.get<{ capabilities: { frameOrigin: string } }>(
      '/v1/capabilities',
    )
    expect(body.capabilities.frameOrigin).toBe(frames)
    const policy = (await me.client.get('/')).headers.get('content-security-policy')
    expect(policy).toContain(`frame-src 'self' ${frames};`)
  })

  it('gives a document for a token, to be framed by the app alone', async () => {
    const address = await addressOf(CHOOSER)
    expect(address).toMatch(`${frames}${CHOOSER}?token=`)
    const { status, headers, text } = await ask(address, {
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(status).toBe(200)
    expect(text).toContain(`<body data-app="${server.origin}">`)
    expect(headers.get('content-security-policy')).toMatch(
      new RegExp(`^default-src 'none'; .*; frame-ancestors ${server.origin}$`),
    )
    expect(headers.get('x-frame-options')).toBeNull()
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
    expect(headers.getSetCookie()).toEqual([])
  })

  it('gives nothing for a token that was used, is over, or is of something else', async () => {
    const used = await addressOf(CHOOSER)
    expect((await ask(used)).status).toBe(200)
    expect((await ask(used)).status).toBe(404)
    const token = new URL(await addressOf(CHOOSER)).searchParams.get('token') ?? ''
    const { payUrl } = await payer(me.client).buy(2000)
    for (const path of [payUrl, '/editors/connect/dropbox-saver', `${CHOOSER}?a=b`]) {
      const other = new URL(path, frames)
      other.searchParams.set('token', token)
      expect([path, (await ask(other.href)).status]).toEqual([path, 404])
    }
    const [head = ''] = token.split(/\.(?=[^.]*$)/)
    for (const forged of ['', 'a.b.c.d', `${head}.AAAA`, token.replace(/\.\d+\./, '.9999999999.')])
      expect((await ask(`${frames}${CHOOSER}?token=${forged}`)).status).toBe(404)
    now += 61_000
    expect((await ask(`${frames}${CHOOSER}?token=${token}`)).status).toBe(404)
  })

  it('gives nothing once the session of the token has ended', async () => {
    const person = await server.signUp()
    const address = await addressOf(CHOOSER, person)
    expect((await person.client.delete('/v1/auth/logout')).status).toBe(204)
    expect((await ask(address)).status).toBe(404)
  })

  it('has no API, no page and no cookie, whatever a browser sends there', async () => {
    const cookie = [...me.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const paths = [
      '/editors/api/v1/users/me',
      '/editors/api/v1/capabilities',
      '/',
      '/sw.js',
      CHOOSER,
    ]
    for (const path of paths) {
      const { status, headers } = await ask(`${frames}${path}`, { headers: { cookie } })
      expect([path, status]).toEqual([path, 404])
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; frame-ancestors 'none'",
      )
      expect(headers.getSetCookie()).toEqual([])
    }
    const { status } = await ask(`${frames}/editors/api/v1/auth/logout`, { method: 'DELETE' })
    expect(status).toBe(404)
  })

  it('is led to from pages of the app alone, and with its cookie', async () => {
    expect((await server.createClient().get(CHOOSER)).status).toBe(401)
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site }
      expect((await me.client.get(CHOOSER, { headers })).status).toBe(403)
    }
  })

  it('takes a payment by tokens of its own, each press once', async () => {
    const person = payer(me.client)
    const session = await person.buy(2000)
    const address = await addressOf(session.payUrl)
    const actionIn = (text: string) =>
      /action="([^"]+)"/.exec(text)?.[1]?.replaceAll('&#38;', '&') ?? ''
    const page = await ask(address)
    const form = new URL(actionIn(page.text), address).href
    const press = async (target: string, headers = {}) =>
      await ask(target, {
        method: 'POST',
        body: new URLSearchParams({ press: 'pay', delivery: 'never' }),
        headers: { origin: frames, ...headers },
      })
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await press(form, foreign)).status).toBe(403)
    expect((await press(address)).status).toBe(404)
    const pressed = await press(form)
    expect(pressed.status).toBe(303)
    expect((await press(form)).status).toBe(404)
    const after = await ask(new URL(pressed.headers.get('location') ?? '', frames).href)
    expect(after.text).toContain('data-state="complete"')
    expect(await person.look(session)).toMatchObject({ payment: 'paid' })
    const atApp = await me.client.post(session.payUrl, new URLSearchParams({ press: 'pay' }))
    expect(atApp.status).toBe(404)
  })
})

/** A script of Dropbox that turned bad: it tries what a script of the app can do. */
const HOSTILE = `
const tries = {
  'the account by the app': () => parent.fetch('/editors/api/v1/users/me'),
  'the account from here': () => fetch('/editors/api/v1/users/me'),
  'the account across': () => fetch('APP/editors/api/v1/users/me', { credentials: 'include' }),
  'cookies of the app': () => parent.document.cookie,
  'databases of the app': () => parent.indexedDB.databases(),
  'storage of the app': () => parent.localStorage.length,
  'cookies here': () => document.cookie || Promise.reject('none'),
  'databases here': async () => (await indexedDB.databases()).length || Promise.reject('none'),
}
window.reached = Promise.all(Object.entries(tries).map(async ([name, reach]) => {
  try { await reach(); return name } catch { return null }
})).then((all) => all.filter((name) => name !== null))
window.Dropbox = {
  choose({ success }) {
    window.open('https://www.dropbox.com/chooser', 'dropbox', 'popup')
    addEventListener('message', ({ data, origin }) => {
      if (origin === 'https://www.dropbox.com') success([data])
    })
  },
}`
/** The same of Stripe, as a script at its address that turned bad. */
const HOSTILE_STRIPE = `${HOSTILE}
window.Stripe = () => ({ createEmbeddedCheckoutPage: async () => ({ mount() {} }) })`
const FILE = { id: 'id:1', name: 'a.mp4', link: 'https://dl.dropboxusercontent.com/a', bytes: 5 }
const WINDOW = `<script>opener.postMessage(${JSON.stringify(FILE)}, '*')</script>`

describe('TRU-11 a script of others in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(async () => await browser.close())

  /** A page of the app, with what the app keeps in a browser, and the chooser in a frame. */
  async function open(): Promise<{ page: Page; frame: Frame }> {
    const context = await browser.newContext()
    onTestFinished(async () => await context.close())
    await context.addCookies(
      [...me.client.cookies].map(([name, value]) => ({ name, value, url: server.origin })),
    )
    await context.route('https://www.dropbox.com/**', async (route) => {
      const isScript = route.request().url().endsWith('.js')
      const script = HOSTILE.replaceAll('APP', server.origin)
      await route.fulfill({
        contentType: isScript ? 'text/javascript' : 'text/html',
        body: isScript ? script : WINDOW,
      })
    })
    const page = await context.newPage()
    await page.addInitScript(`
      heard = []
      hears = (count) => new Promise((done) => {
        const look = () => heard.length === count && done(heard)
        look()
        addEventListener('message', look)
      })
      addEventListener('message', ({ data, origin }) => heard.push([origin, data.dropboxChooser]))
      if (origin === '${server.origin}') indexedDB.open('onecut-account-x')
    `)
    // A document of the app with the policy of all its pages, whether or not the app is built.
    await page.goto(`${server.origin}/editors/api/v1/capabilities`)
    await page.evaluate(`
      const around = document.createElement('iframe')
      around.src = '${CHOOSER}'
      document.body.append(around)
    `)
    await page.evaluate('hears(1)')
    const frame = page.frames().find((each) => each.url().startsWith(frames))
    if (frame === undefined) throw new Error('There is no frame of another origin')
    return { page, frame }
  }

  it('reaches nothing of the account: no call, no cookie, no database', async () => {
    const { page, frame } = await open()
    expect(await page.evaluate('document.cookie')).toContain('XSRF-TOKEN')
    expect(await page.evaluate('fetch("/editors/api/v1/users/me").then((a) => a.status)')).toBe(200)
    expect(await frame.evaluate('reached')).toEqual([])
  })

  it('still opens its window, hears it, and tells the app what was chosen', async () => {
    const { page, frame } = await open()
    await frame.getByRole('button', { name: 'Open Dropbox' }).click()
    expect(await page.evaluate('hears(2)')).toEqual([
      [frames, 'ready'],
      [frames, FILE],
    ])
  })

  it('cannot open the document of another provider', async () => {
    const { page, frame } = await open()
    const { payUrl } = await payer(me.client).buy(2000)
    const door = `${server.origin}${payUrl}`
    // A window has the cookie of the app, and a frame below a foreign document has not.
    for (const [navigate, status] of [
      [`window.open('${door}')`, 403],
      [`location.href = '${door}'`, 401],
    ] as const) {
      const answered = page.context().waitForEvent('response', (one) => one.url() === door)
      await frame.evaluate(`void (${navigate})`)
      expect([navigate, (await answered).status()]).toEqual([navigate, status])
    }
  })

  it('reaches nothing of the account from the page that takes payments', async () => {
    const stripe = await startFakeStripe()
    const shop = await startTestServer({ stripe, env: { ONECUT_FRAME_ORIGIN: '' } })
    const context = await browser.newContext()
    onTestFinished(async () => {
      await context.close()
      await shop.stop()
      await stripe.stop()
    })
    const { client } = await shop.signUp()
    const { payUrl } = await payer(client).subscribe()
    await context.addCookies(
      [...client.cookies].map(([name, value]) => ({ name, value, url: shop.origin })),
    )
    const loaded: string[] = []
    await context.route('https://js.stripe.com/**', async (route) => {
      loaded.push(route.request().url())
      const body = HOSTILE_STRIPE.replaceAll('APP', shop.origin)
      await route.fulfill({ contentType: 'text/javascript', body })
    })
    const page = await context.newPage()
    await page.addInitScript(`
      said = new Promise((done) => addEventListener('message', ({ origin }) => done(origin)))
      if (origin === '${shop.origin}') indexedDB.open('onecut-account-x')
    `)
    await page.goto(`${shop.origin}/editors/api/v1/capabilities`)
    await page.evaluate(`
      const around = document.createElement('iframe')
      around.src = '${payUrl}'
      document.body.append(around)
    `)
    const other = shop.origin.replace('localhost', '127.0.0.1')
    expect(await page.evaluate('said')).toBe(other)
    const frame = page.frames().find((each) => each.url().startsWith(other))
    expect(await frame?.evaluate('reached')).toEqual([])
    expect(loaded).toEqual([expect.stringMatching(/^https:\/\/js\.stripe\.com\/.*stripe\.js$/)])
    expect(await page.evaluate('document.cookie')).toContain('XSRF-TOKEN')
  })
})
