import { createStore } from 'jotai'
import { expect, it } from 'vitest'
import { createHumanCheck } from '#src/features/auth/human-check.ts'
import type { HumanCheckDeps, SolvedCheck } from '#src/features/auth/human-check.ts'
import { renderRecaptcha } from '#src/features/auth/recaptcha.ts'
import type { RecaptchaOptions } from '#src/features/auth/recaptcha.ts'

function setUp(work: HumanCheckDeps['work']) {
  const timers: { delayMs: number; run: () => void }[] = []
  const store = createStore()
  const made = createHumanCheck({
    store,
    work,
    now: () => 1000,
    after: (delayMs, run) => {
      timers.push({ delayMs, run })
      return () => undefined
    },
  })
  return { check: { ...made, state: () => store.get(made.state) }, timers }
}

it('AUT-04 asking for the token does the work once and gives the same token until it is reset', async () => {
  let runs = 0
  const { check } = setUp(() => {
    runs += 1
    return Promise.resolve<SolvedCheck>({ token: `token-${runs}`, expiresAtEpochMs: null })
  })
  check.start()
  expect(check.state().kind).toBe('working')
  expect(await check.token()).toBe('token-1')
  expect(await check.token()).toBe('token-1')
  check.reset()
  expect(check.state().kind).toBe('idle')
  expect(await check.token()).toBe('token-2')
})

it('AUT-04 the token is cleared when it expires and when the check fails', async () => {
  const { check, timers } = setUp(() =>
    Promise.resolve<SolvedCheck>({ token: 'token', expiresAtEpochMs: 61_000 }),
  )
  await check.token()
  expect(timers).toMatchObject([{ delayMs: 60_000 }])
  timers[0]?.run()
  expect(check.state()).toEqual({ kind: 'expired' })
  const broken = setUp(() => Promise.resolve(null))
  expect(await broken.check.token()).toBeNull()
  expect(broken.check.state()).toEqual({ kind: 'failed' })
})

it('AUT-04 work that was reset says nothing any more', async () => {
  let finish: (solved: SolvedCheck) => void = () => undefined
  const { check } = setUp(
    () =>
      new Promise((resolve) => {
        finish = resolve
      }),
  )
  check.start()
  check.reset()
  finish({ token: 'late', expiresAtEpochMs: null })
  await Promise.resolve()
  expect(check.state()).toEqual({ kind: 'idle' })
})

it('AUT-04 the external widget is drawn as specified, clears the token on expiry and error, and is reset on error', async () => {
  const { check } = setUp(null)
  const seen: { options: RecaptchaOptions | null; resets: number[] } = { options: null, resets: [] }
  const widget = {
    render: (_container: HTMLElement, options: RecaptchaOptions) => {
      seen.options = options
      return 7
    },
    reset: (id: number) => void seen.resets.push(id),
  }
  const listener = {
    onToken: (token: string) => check.accept({ token, expiresAtEpochMs: null }),
    onExpired: check.expire,
    onError: check.fail,
  }
  renderRecaptcha(widget, {} as HTMLElement, 'site-key', listener)
  expect(seen.options).toMatchObject({
    sitekey: 'site-key',
    theme: 'light',
    type: 'image',
    size: 'normal',
    badge: 'bottomright',
  })
  expect(await check.token()).toBeNull()
  seen.options?.callback('solved')
  expect(await check.token()).toBe('solved')
  seen.options?.['expired-callback']()
  expect(await check.token()).toBeNull()
  seen.options?.callback('again')
  seen.options?.['error-callback']()
  expect(await check.token()).toBeNull()
  expect(seen.resets).toEqual([7])
})
