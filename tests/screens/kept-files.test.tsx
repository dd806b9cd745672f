import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { browserFiles } from '#src/local/db/account-files.ts'
import { FACTS, type Keeping } from '#src/local/db/facts.ts'
import type { KeptFileRow } from '#src/local/db/rows.ts'
import { createKeptBytes } from '#src/local/kept/kept-bytes.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { fakeMediaJob, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { CREATOR } from './harness/creator.ts'
import { file, pending } from './harness/fake-server.ts'
import { NOW, openScreen, type Screen } from './harness/open-screen.tsx'
import { fakeOutput, fakeTask } from './harness/things.ts'

type Output = components['schemas']['DownloadButtonOutput']

const GB = 1_000_000_000
const MAY = Date.parse('2026-05-12T10:00:00.000Z')
const BYTES = new TextEncoder().encode('a teaser of thirty-three bytes...')
const TEASER = fakeOutput({
  _id: idOf(710),
  fileName: 'teaser.mp4',
  contentType: 'video/mp4',
  buttonText: 'Download 15s teaser',
  sizeBytes: BYTES.length,
})
const button = (name: string | RegExp) => page.getByRole('button', { name })
const PROFILE = { path: '/user-profile', answers: { listSessions: { sessions: [] } } }

/** A finished job with these files. */
const finished = (outputs: readonly Output[]) =>
  fakeMediaJob({
    isMediaWorkflowStarted: true,
    progressRatio: 1,
    tasks: [fakeTask({ status: 'succeeded', progressRatio: 1, outputs: [...outputs] })],
  })

function kept(changes: Partial<KeptFileRow> = {}): KeptFileRow {
  const row = {
    outputId: TEASER._id,
    taskId: idOf(600),
    mediaJobId: idOf(1),
    fileName: 'teaser.mp4',
    contentType: 'video/mp4',
    sizeBytes: BYTES.length,
    state: 'kept' as const,
    gotBytes: BYTES.length,
    queuedAtEpochMs: MAY,
    lastOpenedAtEpochMs: MAY,
  }
  return { ...row, ...changes }
}

const keeping = (limitBytes: number) => ({
  key: FACTS.keeping,
  value: { limitBytes, rules: [] } satisfies Keeping,
  pulledAtEpochMs: NOW,
})

/** The library with the finished job, its edits shown. */
async function openLibrary(options: Partial<Parameters<typeof openScreen>[0]> = {}) {
  const job = finished([TEASER])
  const { rows, answers, ...rest } = options
  const screen = await openScreen({
    path: '/edits',
    rows: { mediaJobs: [mediaJobToRow(job, NOW)], ...rows },
    answers: {
      listMediaJobsPage: { mediaJobs: [job], pagination: { nextCursor: null } },
      downloadOutput: file(BYTES),
      ...answers,
    },
    ...rest,
  })
  await button(/^Show Edits of /).click()
  return screen
}

function bytesHere() {
  const files = browserFiles()
  if (files === null) throw new Error('this browser has no files')
  return createKeptBytes(files, CREATOR.userId, null)
}

/** Everything of the account in the browser's own file system. */
async function filesHere(): Promise<readonly string[]> {
  const root = await navigator.storage.getDirectory()
  const names: string[] = []
  const walk = async (folder: FileSystemDirectoryHandle, path: string): Promise<void> => {
    for await (const entry of folder.values()) {
      names.push(path + entry.name)
      if (entry.kind === 'directory')
        await walk(await folder.getDirectoryHandle(entry.name), `${path}${entry.name}/`)
    }
  }
  await walk(root, '')
  return names
}

function estimate(given: StorageEstimate): void {
  const spy = vi.spyOn(navigator.storage, 'estimate').mockResolvedValue(given)
  onTestFinished(() => spy.mockRestore())
}

const rowOf = (screen: Screen) => screen.db.keptFiles.get(TEASER._id)

test('PHO-04 a kept edit is on the device, and is saved from it without a connection until it is not shown', async () => {
  estimate({ quota: 100 * GB, usage: 0 })
  const persist = vi.spyOn(navigator.storage, 'persist').mockResolvedValue(true)
  onTestFinished(() => persist.mockRestore())
  const screen = await openLibrary()
  expect(await filesHere()).toEqual([])
  await button('Keep on this device: teaser.mp4').click()
  await expect.element(page.getByText('On this device', { exact: true })).toBeVisible()
  expect(persist).toHaveBeenCalledOnce()
  screen.setNetwork('offline')
  const save = page.getByRole('link', { name: 'Download 15s teaser' })
  await expect.element(save).toHaveAttribute('download', 'teaser.mp4')
  const address = save.element().getAttribute('href') ?? ''
  expect(address).toMatch(/^blob:/)
  expect(await (await fetch(address)).text()).toBe('a teaser of thirty-three bytes...')
  await expect.element(button('Play teaser.mp4')).toBeVisible()
  await screen.goTo('/help')
  await expect.poll(() => fetch(address).then(String, () => 'given back')).toBe('given back')
})

test('PHO-04 all kept files of an order are saved as one ZIP without a connection, and not where one is missing', async () => {
  const still = { ...TEASER, _id: idOf(711), fileName: 'still.jpg', contentType: 'image/jpeg' }
  const job = finished([TEASER, still])
  const all = [kept(), kept({ outputId: still._id, fileName: 'still.jpg' })]
  for (const { outputId } of all) await bytesHere().write(outputId, 0, new Blob([BYTES]))
  const saved: HTMLAnchorElement[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(this)
  })
  onTestFinished(() => click.mockRestore())
  const screen = await openScreen({
    path: '/edits',
    rows: { mediaJobs: [mediaJobToRow(job, NOW)], keptFiles: all },
    network: 'offline',
  })
  await button(/^Save all files of /).click()
  await expect.poll(() => saved.length).toBe(1)
  expect(saved[0]?.download).toBe('edits.zip')
  const zip = await (await fetch(saved[0]?.href ?? '')).text()
  expect(zip).toMatch(/^PK/)
  for (const text of ['teaser.mp4', 'still.jpg']) expect(zip).toContain(text)
  expect(zip.split('a teaser of thirty-three bytes...')).toHaveLength(3)
  await bytesHere().remove(still._id)
  await expect.element(button(/^Save all files of /)).toHaveAttribute('aria-disabled', 'false')
  await button(/^Save all files of /).click()
  await expect.element(page.getByText(/The ZIP could not be made/)).toBeVisible()
  await expect.element(button(/^Save all files of /)).not.toBeInTheDocument()
  expect(await screen.db.keptFiles.get(still._id)).not.toMatchObject({ state: 'kept' })
})

test('PHO-04 a file that the browser has removed says so, and is got again', async () => {
  estimate({ quota: 100 * GB, usage: 0 })
  const screen = await openLibrary({ rows: { keptFiles: [kept()] } })
  await expect.element(page.getByText('This device removed the file. Get it again?')).toBeVisible()
  await button('Get it again: teaser.mp4').click()
  await expect.element(page.getByText('On this device', { exact: true })).toBeVisible()
  expect(await rowOf(screen)).toMatchObject({ state: 'kept' })
  await button('Remove teaser.mp4 from this device').click()
  await expect.element(button('Keep on this device: teaser.mp4')).toBeVisible()
  await expect.poll(() => bytesHere().list()).toEqual([])
})

test('PHO-04 a file that does not fit goes in the place of the oldest after a question, and not before', async () => {
  estimate({ quota: 100 * GB, usage: 0 })
  const others = [1, 2, 3].map((number) =>
    kept({
      outputId: idOf(800 + number),
      fileName: `old ${number}.mp4`,
      sizeBytes: 10,
      gotBytes: 10,
      lastOpenedAtEpochMs: number === 3 ? NOW : MAY + number,
    }),
  )
  for (const { outputId } of others) await bytesHere().write(outputId, 0, new Blob(['ten bytes.']))
  const screen = await openLibrary({ rows: { keptFiles: others, facts: [keeping(50)] } })
  const question = page.getByRole('alertdialog', { name: 'Remove 2 files last opened in May?' })
  await button('Keep on this device: teaser.mp4').click()
  await expect.element(question).toBeVisible()
  await question.getByRole('button', { name: 'Keep them' }).click()
  expect(await screen.db.keptFiles.count()).toBe(3)
  await button('Keep on this device: teaser.mp4').click()
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect.element(page.getByText('On this device', { exact: true })).toBeVisible()
  expect((await screen.db.keptFiles.toArray()).map(({ fileName }) => fileName).toSorted()).toEqual([
    'old 3.mp4',
    'teaser.mp4',
  ])
})

test('PHO-04 a device that is nearly full says so, and gets nothing', async () => {
  estimate({ quota: GB, usage: 0.6 * GB })
  const screen = await openLibrary()
  await button('Keep on this device: teaser.mp4').click()
  await expect
    .element(page.getByText('This device has too little free space for this file.'))
    .toBeVisible()
  expect(await screen.db.keptFiles.count()).toBe(0)
})

test('PHO-04 new results of a scene are kept by a rule', async () => {
  estimate({ quota: 100 * GB, usage: 0 })
  const screen = await openLibrary()
  const rule = page.getByRole('checkbox', { name: 'Keep new results of this scene on this device' })
  await page.getByText('Keep new results of this scene on this device').click()
  await expect.element(rule).toBeChecked()
  const next = { ...TEASER, _id: idOf(711), fileName: 'second.mp4' }
  await screen.db.mediaJobs.put(mediaJobToRow(finished([TEASER, next]), NOW))
  await expect
    .poll(() => screen.db.keptFiles.toArray())
    .toMatchObject([{ fileName: 'second.mp4', state: 'kept' }])
  await expect.element(button('Keep on this device: teaser.mp4')).toBeVisible()
})

test('PHO-04 the account page says how much is kept, and a lower limit asks before anything goes', async () => {
  estimate({ quota: 8 * GB, usage: 0 })
  const large = kept({
    outputId: idOf(801),
    fileName: 'large.mp4',
    state: 'queued',
    sizeBytes: 1.4 * GB,
    gotBytes: 0,
  })
  await bytesHere().write(TEASER._id, 0, new Blob([BYTES]))
  const screen = await openScreen({
    ...PROFILE,
    rows: { keptFiles: [kept(), large] },
    answers: { ...PROFILE.answers, downloadOutput: pending },
  })
  const card = page.getByRole('region', { name: 'On this device' })
  await expect.element(card.getByText('1.4 of 2 GB')).toBeVisible()
  await card.getByRole('button', { name: '2 files' }).click()
  await expect.element(card.getByRole('link', { name: 'Save teaser.mp4' })).toBeVisible()
  const limit = card.getByLabelText('Kept files may take')
  // Half of what the browser gives is the most.
  expect(
    Array.from(limit.element().querySelectorAll('option'), ({ textContent }) => textContent),
  ).toEqual(['500 MB', '1 GB', '2 GB', '4 GB'])
  await limit.selectOptions('4 GB')
  await expect.element(card.getByText('1.4 of 4 GB')).toBeVisible()
  await card.getByRole('button', { name: 'Remove large.mp4 from this device' }).click()
  await expect.element(card.getByText('33 B of 4 GB')).toBeVisible()
  await screen.db.facts.put(keeping(20))
  await expect.element(card.getByText('More is kept than may be')).toBeVisible()
  expect(await rowOf(screen)).toMatchObject({ state: 'kept' })
  await card.getByRole('button', { name: 'Remove 1 file last opened in May?' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove 1 file last opened in May?' })
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect.element(card.getByText(/^No finished edit is kept on this device\./)).toBeVisible()
})

test('PHO-07 a file says that it goes on without its page only while the browser gets it', async () => {
  const handed = { fromBytes: 0, atEpochMs: NOW }
  const row = kept({ state: 'getting', gotBytes: 9, handed })
  const browserGetter = {
    mayBegin: () => false,
    begin: () => Promise.resolve(false),
    comeBytes: () => Promise.resolve(9),
    end: () => Promise.resolve(),
  }
  const screen = await openLibrary({ rows: { keptFiles: [row] }, browserGetter })
  const words = page.getByText('Goes on when you close this page.')
  await expect.element(words).toBeVisible()
  await screen.db.keptFiles.put(kept({ state: 'queued', gotBytes: 0 }))
  await expect.element(page.getByText('On this device', { exact: true })).toBeVisible()
  expect(words.elements()).toEqual([])
})

test('PHO-07 nothing is said of keeping where pages cannot write files', async () => {
  const { createWritable } = FileSystemFileHandle.prototype
  Reflect.deleteProperty(FileSystemFileHandle.prototype, 'createWritable')
  onTestFinished(() => {
    Object.defineProperty(FileSystemFileHandle.prototype, 'createWritable', {
      configurable: true,
      writable: true,
      value: createWritable,
    })
  })
  await openLibrary()
  await expect.element(page.getByRole('link', { name: 'Download 15s teaser' })).toBeVisible()
  expect(page.getByText(/on this device/i).elements()).toEqual([])
})

test('PHO-08 logging out says how many kept files go, and leaves no byte of them', async () => {
  await bytesHere().write(TEASER._id, 0, new Blob([BYTES]))
  const uploads = [fakeUploadRow({ id: 'one', state: { kind: 'paused' } })]
  const screen = await openScreen({ path: '/help', rows: { keptFiles: [kept()], uploads } })
  expect(await filesHere()).not.toEqual([])
  await button('Account').click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect
    .element(page.getByText(/^The file that this device keeps of your finished edits goes/))
    .toBeVisible()
  screen.setNetwork('offline')
  await button('Log out').click()
  await expect.poll(() => screen.path()).toBe('/login')
  expect((await filesHere()).filter((path) => path.includes('/'))).toEqual([])
})

test('PHO-08 a session that ends leaves no kept file, also where unfinished work waits', async () => {
  await bytesHere().write(TEASER._id, 0, new Blob([BYTES]))
  const uploads = [fakeUploadRow({ id: 'one', state: { kind: 'paused' } })]
  const screen = await openScreen({ path: '/help', rows: { keptFiles: [kept()], uploads } })
  screen.dropCookies(true)
  await expect.poll(() => bytesHere().list()).toEqual([])
  expect(await screen.db.uploads.count()).toBe(1)
  expect(await screen.db.keptFiles.count()).toBe(0)
})
