import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { hideScene } from '#src/local/db/hidden-scenes.ts'
import type { KeptFileRow } from '#src/local/db/rows.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { fakeMadeFileRow, fakeMediaJob, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { NOTHING_STORED } from './harness/creator.ts'
import { pending } from './harness/fake-server.ts'
import { NOW, openScreen, PASSKEY_ANSWER } from './harness/open-screen.tsx'
import { fakeTask } from './harness/things.ts'

const names = page.getByRole('heading', { level: 2 })
const shownNames = () => names.elements().map(({ textContent }) => textContent)
const job = (number: number) =>
  fakeMediaJob({
    _id: idOf(number),
    uploadRequestId: idOf(9_000 + number),
    name: `scene ${number}`,
    createdAt: new Date(NOW - number).toISOString(),
    tasks: [fakeTask()],
    progressRatio: 1,
  })
const jobs = [job(1), job(2)]
const rows = { mediaJobs: jobs.map((each) => mediaJobToRow(each, NOW)) }
const answers = { listMediaJobsPage: pending }
const menu = (name: string) => page.getByRole('button', { name: `More actions for ${name}` })
const item = (name: string) => page.getByRole('menuitem', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })

/** What the passkey says at each press: its answer, or that its owner stopped. */
function withPasskey(...says: readonly ('answers' | 'stops')[]): void {
  onTestFinished(() => void vi.restoreAllMocks())
  const left = [...says]
  vi.spyOn(navigator.credentials, 'get').mockImplementation(async () => {
    if (left.shift() !== 'answers') throw new DOMException('stopped', 'NotAllowedError')
    return Object.create(PublicKeyCredential.prototype, {
      getClientExtensionResults: {
        value: () => ({ prf: { results: { first: PASSKEY_ANSWER.buffer } } }),
      },
    }) as Credential
  })
}

test('PHO-06 a scene that is hidden leaves the library, and is listed with a mark after the passkey only, until Done', async () => {
  withPasskey('stops', 'answers', 'answers')
  await openScreen({ path: '/edits', rows, answers, isLockable: true })
  await expect.poll(shownNames).toEqual(['scene 1', 'scene 2'])
  await menu('scene 1').click()
  await item('Hide on this device').click()
  await expect.poll(shownNames).toEqual(['scene 2'])
  await button('Show hidden').click()
  await expect.element(page.getByText(/^The passkey did not answer/)).toBeVisible()
  expect(shownNames()).toEqual(['scene 2'])
  await button('Show hidden').click()
  await expect.poll(shownNames).toEqual(['scene 1', 'scene 2'])
  expect(page.getByText('Hidden', { exact: true }).elements().length).toBe(1)
  await button('Done').click()
  await expect.poll(shownNames).toEqual(['scene 2'])
  await button('Show hidden').click()
  await menu('scene 1').click()
  await item('Show in the library again').click()
  await button('Done').click()
  await expect.element(button('Show hidden')).toBeVisible()
  expect(shownNames()).toEqual(['scene 1', 'scene 2'])
})

test('PHO-06 an address of a hidden scene says that it is hidden, and opens by the passkey', async () => {
  withPasskey('answers')
  const screen = await openScreen({ path: '/edits', rows, answers, isLockable: true })
  await menu('scene 1').click()
  await item('Hide on this device').click()
  await expect.poll(shownNames).toEqual(['scene 2'])
  for (const path of [
    `/uploads/media-jobs/${jobs[0]?._id}/status`,
    `/uploads/${jobs[0]?.uploadRequestId}/media-jobs/new`,
    `/edits?video=${jobs[0]?.uploadRequestId}`,
  ]) {
    await screen.goTo(path)
    await expect.element(page.getByRole('heading', { name: 'This scene is hidden' })).toBeVisible()
    expect(document.body.textContent).not.toContain('scene 1')
  }
  await button('Show it').click()
  await expect.poll(shownNames).toEqual(['scene 1'])
})

/** A scene of which every place of the device knows something; all of it has this word. */
const WORD = 'Marseille'
const scene = { ...job(3), name: WORD, orderId: idOf(33) }
const stored: components['schemas']['Storage'] = {
  ...NOTHING_STORED,
  videoCount: 1,
  videos: [
    {
      uploadRequestId: scene.uploadRequestId,
      name: `${WORD}.mp4`,
      sourceBytes: 1,
      resultBytes: 0,
      resultCount: 0,
      uploadedAt: '2026-11-18T10:00:00.000Z',
      sourceGoesAt: null,
      resultsGoAt: null,
      isInUse: false,
    },
  ],
}
const upload = fakeUploadRow({
  id: 'u3',
  uploadRequestId: scene.uploadRequestId,
  state: { kind: 'paused' },
  file: { name: `${WORD}.mp4`, sizeBytes: 1, lastModifiedEpochMs: 1, type: 'video/mp4' },
})
const kept: KeptFileRow = {
  outputId: idOf(34),
  taskId: idOf(35),
  mediaJobId: scene._id,
  fileName: `${WORD} teaser.mp4`,
  contentType: 'video/mp4',
  sizeBytes: 1,
  state: 'failed',
  fault: 'removed',
  gotBytes: 0,
  queuedAtEpochMs: 1,
  lastOpenedAtEpochMs: 1,
}

test.for(['/edits', '/edits?search=mars', '/uploads/new', '/user-profile', '/wallets'])(
  'PHO-06 a hidden scene is nowhere on %s',
  async (path) => {
    const screen = await openScreen({
      path,
      isLockable: true,
      rows: {
        mediaJobs: [mediaJobToRow(scene, NOW)],
        uploads: [upload],
        keptFiles: [kept],
        madeFiles: [fakeMadeFileRow({ uploadId: upload.id, videoName: WORD })],
      },
      answers: {
        ...answers,
        getOrder: pending,
        listSessions: { sessions: [] },
        readStorage: { storage: stored },
      },
    })
    const text = () => document.body.textContent
    await expect.poll(text).toContain(WORD)
    await hideScene(screen.db, scene.uploadRequestId, true)
    await expect.poll(text).not.toContain(WORD)
    expect(document.title).not.toContain(WORD)
  },
)

test('PHO-06 without an app lock nothing can be hidden', async () => {
  await openScreen({ path: '/edits', rows, answers })
  await menu('scene 1').click()
  await expect.element(item('Rename')).toBeVisible()
  expect(item('Hide on this device').elements()).toEqual([])
  expect(button('Show hidden').elements()).toEqual([])
})
