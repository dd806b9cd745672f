import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { UploadState } from '#src/local/db/rows.ts'
import { fakeUploadRow } from '#tests/fakes/fake-rows.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'

const PATH = '/user-profile'
const answers = { listSessions: { sessions: [] } }
const switchOf = (name: string) => page.getByRole('checkbox', { name })
const SCREEN = 'Keep the screen on while a video is sent'

/** A system that leaves the screen on when it is asked; counts the locks that are held. */
function fakeWakeLock(): () => number {
  const held = new Set<object>()
  const request = () => {
    const lock = {
      released: false,
      release: () => {
        lock.released = true
        held.delete(lock)
        return Promise.resolve()
      },
    }
    held.add(lock)
    return Promise.resolve(lock)
  }
  Object.defineProperty(navigator, 'wakeLock', { configurable: true, get: () => ({ request }) })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'wakeLock'))
  return () => held.size
}

describe('the screen', () => {
  const upload = (state: UploadState) =>
    fakeUploadRow({ id: 'one', state, updatedAtEpochMs: NOW, createdAtEpochMs: NOW })

  test('PHO-01 stays on while a video is sent, on every screen, and not while it is paused', async () => {
    const heldCount = fakeWakeLock()
    const screen = await openScreen({
      path: '/help',
      rows: { uploads: [upload({ kind: 'uploading' })] },
    })
    await expect.poll(heldCount).toBe(1)
    await screen.db.uploads.put(upload({ kind: 'paused' }))
    await expect.poll(heldCount).toBe(0)
    await screen.db.uploads.put(upload({ kind: 'finalising' }))
    await expect.poll(heldCount).toBe(1)
    await screen.db.uploads.put(upload({ kind: 'done', doneAtEpochMs: NOW }))
    await expect.poll(heldCount).toBe(0)
  })

  test('PHO-01 goes dark as usual where its user chose so, on this device', async () => {
    const heldCount = fakeWakeLock()
    const screen = await openScreen({
      path: PATH,
      answers,
      rows: { uploads: [upload({ kind: 'uploading' })] },
    })
    await expect.poll(heldCount).toBe(1)
    await expect.element(switchOf(SCREEN)).toBeChecked()
    await page.getByText(SCREEN).click()
    await expect.poll(heldCount).toBe(0)
    await screen.goTo('/help')
    await screen.goTo(PATH)
    await expect.element(switchOf(SCREEN)).not.toBeChecked()
    expect(heldCount()).toBe(0)
  })

  test('PHO-07 is not spoken of where the browser cannot leave it on', async () => {
    vi.stubGlobal('navigator', withoutWakeLock())
    onTestFinished(() => void vi.unstubAllGlobals())
    await openScreen({ path: PATH, answers })
    await expect.element(page.getByRole('heading', { name: 'Passkeys' })).toBeVisible()
    await expect.element(switchOf(SCREEN)).not.toBeInTheDocument()
  })
})

/** This browser's navigator, as it is where no page may hold the screen. */
function withoutWakeLock(): Navigator {
  return new Proxy(navigator, {
    has: (target, key) => key !== 'wakeLock' && Reflect.has(target, key),
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
