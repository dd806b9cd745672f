import { expect, test, type BrowserContext, type CDPSession, type Page } from '@playwright/test'
import { signInContext } from '#tests/faults/upload-page.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { makeNoise } from '#tests/e2e/flow-media.ts'
import { seedVideo } from '#tests/e2e/seed.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { freePort } from '#tests/setup/free-port.ts'
import { fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'

/** Passkeys belong to a name, which 127.0.0.1 is not. */
let server: E2eServer
test.beforeAll(async () => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const started = await startE2eServer({ PORT: String(port), ONECUT_PUBLIC_ORIGIN: origin })
  server = { ...started, origin }
})
test.afterAll(async () => {
  await server.dispose()
})

const SECONDS = 5

interface Finger {
  /** From now on the person is not recognised. */
  readonly refuse: () => Promise<void>
  /** From now on the device has another reader, which has none of its passkeys. */
  readonly replace: () => Promise<void>
}

/** A device with a fingerprint reader, whose passkeys hold keys. */
async function holdFinger(page: Page): Promise<Finger> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const add = async (): Promise<string> => {
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        hasPrf: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return authenticatorId
  }
  const authenticatorId = await add()
  return {
    refuse: async () => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    },
    replace: async () => {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      await add()
    },
  }
}

/**
 * Where in the storage of the site, or in the page, any of these stands; and where a picture or a
 * film can be read by its first bytes. The app's own files are asked for names only.
 */
function findInStorage(page: Page, needles: readonly string[]): Promise<readonly string[]> {
  return page.evaluate(async (wanted) => {
    const found: string[] = []
    const MAGIC = /^(?:\u00FF\u00D8\u00FF|\u0089PNG|RIFF....WEBP|GIF8)|^....ftyp|moov|mdat/s
    const latin = new TextDecoder('latin1')
    const look = (where: string, bytes: Uint8Array, isOwn: boolean): void => {
      const text = latin.decode(bytes)
      for (const needle of wanted) if (text.includes(needle)) found.push(`${where}: ${needle}`)
      if (!isOwn && MAGIC.test(text.slice(0, 4096))) found.push(`${where}: readable`)
    }
    const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
    const walkValue = async (where: string, value: unknown): Promise<void> => {
      if (value instanceof Blob) look(where, new Uint8Array(await value.arrayBuffer()), false)
      else if (value instanceof Uint8Array) look(where, value, false)
      else if (value instanceof ArrayBuffer) look(where, new Uint8Array(value), false)
      else if (value instanceof FileSystemHandle) look(where, utf8(value.name), false)
      else if (typeof value === 'object' && value !== null)
        for (const [key, inner] of Object.entries(value)) await walkValue(`${where}.${key}`, inner)
      else look(where, utf8(String(value)), false)
    }
    const ask = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('no answer'))
      })
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await ask(indexedDB.open(name))
      for (const store of db.objectStoreNames) {
        const all = db.transaction(store).objectStore(store)
        const [rows, keys] = await Promise.all([ask(all.getAll()), ask(all.getAllKeys())])
        await walkValue(`${name}/${store}`, [rows, keys])
      }
      db.close()
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const body = await (await cache.match(request))?.arrayBuffer()
        look(`${name} ${request.url}`, new Uint8Array(body ?? new ArrayBuffer(0)), true)
      }
    }
    const walkFiles = async (where: string, folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const entry of folder.values()) {
        const path = `${where}/${entry.name}`
        look(path, utf8(entry.name), false)
        if (entry.kind === 'directory')
          await walkFiles(path, await folder.getDirectoryHandle(entry.name))
        else {
          const file = await (await folder.getFileHandle(entry.name)).getFile()
          look(path, new Uint8Array(await file.arrayBuffer()), false)
        }
      }
    }
    await walkFiles('files', await navigator.storage.getDirectory())
    look('localStorage', utf8(JSON.stringify(localStorage)), false)
    look('sessionStorage', utf8(JSON.stringify(sessionStorage)), false)
    look('page', utf8(document.documentElement.outerHTML), true)
    look('address', utf8(location.href), true)
    return found
  }, needles)
}

async function keepAnEdit(page: Page, context: BrowserContext) {
  const scene = test.info().outputPath('beach day.mp4')
  // The finished edit is more than one step.
  await makeNoise(scene, SECONDS)
  const { client, uploadRequestId } = await seedVideo(server, scene)
  const { _id: mediaJobId } = await requestEdits(client, uploadRequestId, [
    { mediaJobTaskPresetSlug: 'voice-mask-full-scene' },
  ])
  await payFor(client, mediaJobId)
  await signInContext(context, client, 'direct')
  await expect
    .poll(async () => (await fetchJob(client, mediaJobId)).tasks[0]?.status, {
      timeout: patience(120),
    })
    .toBe('succeeded')
  await page.goto(`${server.origin}/edits`)
  await page.getByRole('button', { name: /^Show Edits of / }).click()
  await page.getByRole('button', { name: /^Keep on this device: / }).click()
  await expect(page.getByRole('button', { name: /^Remove .* from this device$/ })).toBeVisible()
  const known = await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    const walk = async (folder: FileSystemDirectoryHandle): Promise<File | null> => {
      for await (const { kind, name } of folder.values()) {
        const file =
          kind === 'file'
            ? await (await folder.getFileHandle(name)).getFile()
            : await walk(await folder.getDirectoryHandle(name))
        if (file !== null) return file
      }
      return null
    }
    const bytes = (await (await walk(root))?.slice(200_000, 200_048).arrayBuffer()) ?? null
    return bytes === null ? '' : new TextDecoder('latin1').decode(bytes)
  })
  expect(known).toHaveLength(48)
  await page.evaluate(async () => await navigator.serviceWorker.ready)
  return ['beach day', 'beach', known]
}

const lockHeading = (page: Page) => page.getByRole('heading', { name: 'Locked', level: 1 })
const unlock = (page: Page) => page.getByRole('button', { name: 'Unlock', exact: true }).click()

test('PHO-06 a locked device says nothing of its library, and plays it offline once it is open', async ({
  context,
  page,
}) => {
  const finger = await holdFinger(page)
  const needles = await keepAnEdit(page, context)
  // What is looked for is there, so that finding nothing later says something.
  const before = (await findInStorage(page, needles)).join('\n')
  expect(before).toMatch(/onecut-account-\S+\/mediaJobs\S*: beach day/)
  expect(before).toMatch(/images\S*: readable/)
  expect(before).toMatch(/files\/accounts\S+: readable/)
  expect(needles.filter((needle) => !before.includes(needle))).toEqual([])

  await page.goto(`${server.origin}/user-profile`)
  const lockSwitch = page.getByRole('checkbox', { name: /^Lock the app / })
  await expect(lockSwitch).not.toBeChecked()
  await photograph(page, 'app-lock-off')
  await page.getByText(/^Lock the app /).click()
  await expect(lockHeading(page)).toBeVisible()
  await photograph(page, 'app-locked')
  expect(await findInStorage(page, needles)).toEqual([])

  await unlock(page)
  await expect(lockSwitch).toBeChecked()
  await photograph(page, 'app-lock-on')
  expect(
    (await findInStorage(page, needles)).filter((where) => !where.startsWith('page:')),
  ).toEqual([])

  await server.stop()
  await page.goto(`${server.origin}/edits`)
  await expect(lockHeading(page)).toBeVisible()
  expect(await findInStorage(page, needles)).toEqual([])
  await unlock(page)
  await page.getByRole('button', { name: /^Show Edits of / }).click()
  await page.getByRole('button', { name: /^Play / }).click()
  const video = page.getByLabel(/^Preview of /)
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0.1)
  expect(await video.getAttribute('src')).toContain('/on-this-device/')
  const sought = await video.evaluate(async (element: HTMLVideoElement, seconds) => {
    const isThere = new Promise((resolve) => element.addEventListener('seeked', resolve))
    element.pause()
    element.currentTime = seconds
    await isThere
    return [element.currentTime, element.error, element.readyState >= 2]
  }, SECONDS - 1)
  expect(sought).toEqual([SECONDS - 1, null, true])
  await photograph(page, 'app-unlocked-offline')

  const second = await context.newPage()
  await second.goto(`${server.origin}/edits`)
  await expect(lockHeading(second)).toBeVisible()
  await page.goto(`${server.origin}/user-profile`)
  await unlock(page)
  await page.getByRole('button', { name: 'Lock now' }).click()
  await expect(lockHeading(page)).toBeVisible()
  expect(await findInStorage(page, needles)).toEqual([])

  // Another person's finger, then a device without the passkey.
  await finger.refuse()
  await unlock(page)
  await expect(page.getByText(/did not answer, so nothing has changed/)).toBeVisible()
  await finger.replace()
  await unlock(page)
  await expect(page.getByText(/so nothing has changed/)).toBeVisible()
  await expect(lockHeading(page)).toBeVisible()
  await page.getByRole('button', { name: /^Log out and remove everything/ }).click()
  await photograph(page, 'app-lock-leave')
  await page.getByRole('button', { name: 'Log out and remove', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^Log In/ })).toBeVisible()
  expect(await findInStorage(page, needles)).toEqual([])
  await server.start()
})
