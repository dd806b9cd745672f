import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import {
  fakeMediaJob,
  fakeOrder,
  fakeUploadRequest,
  fakeUploadRow,
  idOf,
} from '#tests/fakes/fake-rows.ts'
import { done, refused, unreachable, type Answers, type Body } from './harness/fake-server.ts'
import { NOW, openScreen, type Rows } from './harness/open-screen.tsx'
import { fakeOutput, fakeTask } from './harness/things.ts'

type EditSet = components['schemas']['EditSet']

const FORMATS = `/uploads/${idOf(2)}/media-jobs/new`
const requests: EditSet['mediaJobTaskRequests'] = [
  { mediaJobTaskPresetSlug: 'teaser-15s' },
  { mediaJobTaskPresetSlug: 'voice-mask-full-scene' },
  { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '@name' } },
]
const usual: EditSet = {
  _id: idOf(801),
  name: 'My usual three',
  mediaJobTaskRequests: requests,
  createdAt: '2026-11-20T09:00:00.000Z',
}
const report = (hasAudio: boolean): ProbeReport => ({
  engine: 'mediabunny',
  container: 'MP4',
  mimeType: 'video/mp4',
  sizeBytes: 1000,
  durationMs: 70_000,
  video: null,
  audio: hasAudio ? { codec: 'aac', channels: 2, sampleRate: 48_000 } : null,
  videoTrackCount: 1,
  audioTrackCount: hasAudio ? 1 : 0,
  findings: [],
  tookMs: 1,
})
const openFormats = ({
  sets = [],
  hasAudio = true,
  jobs = [],
  answers = {},
}: {
  readonly sets?: Body<'listEditSets'>['editSets']
  readonly hasAudio?: boolean
  readonly jobs?: readonly components['schemas']['MediaJob'][]
  readonly answers?: Answers
} = {}) => {
  const rows: Rows = {
    uploads: [
      fakeUploadRow({
        uploadRequestId: idOf(2),
        state: { kind: 'paused' },
        probe: report(hasAudio),
      }),
    ],
    mediaJobs: jobs.map((job) => mediaJobToRow(job, NOW)),
  }
  return openScreen({
    path: FORMATS,
    rows,
    answers: { listEditSets: { editSets: sets }, ...answers },
  })
}
const button = (name: string | RegExp) => page.getByRole('button', { name })
const dialog = page.getByRole('dialog')

describe('sets of edits', () => {
  test('LIF-02 one press on a set chooses its edits with their options', async () => {
    await openFormats({ sets: [usual] })
    await button('My usual three · 3 edits').click()
    await expect.element(page.getByText(/^3 edits · /)).toBeVisible()
    await expect.element(page.getByText('@name')).toBeVisible()
  })

  test('LIF-02 a set says before the price which edits a video without sound cannot have', async () => {
    await openFormats({ sets: [usual], hasAudio: false })
    await button('My usual three · 3 edits').click()
    await expect
      .element(page.getByText('2 of 3 edits of "My usual three" were chosen'))
      .toBeVisible()
    await expect
      .element(page.getByText(/^Voice Mask.*: Needs sound\. This video has none\.$/))
      .toBeVisible()
    await expect.element(page.getByText(/^2 edits · /)).toBeVisible()
  })

  test('LIF-02 DEL-01 a set keeps an edit whose options would give this video again, and says what to change', async () => {
    const cut = {
      ...usual,
      mediaJobTaskRequests: [
        {
          mediaJobTaskPresetSlug: 'tube-cut' as const,
          payload: { targetDuration: 360_000, introMediaAssetIds: [], outroMediaAssetIds: [] },
        },
      ],
    }
    const screen = await openFormats({ sets: [cut] })
    await button('My usual three · 1 edit').click()
    const words = page.getByText(/^Tube Cut: Your video is 1 min 10 s long, so this would be all/)
    await expect.element(words).toBeVisible()
    await expect.element(page.getByText(/^1 edit · /)).toBeVisible()
    await expect.element(button('Submit for Editing')).toBeDisabled()
    await button('Change options of Tube Cut').click()
    await dialog.getByRole('textbox', { name: 'Target duration in minutes' }).fill('0.5')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect.element(words).not.toBeInTheDocument()
    await expect.element(page.getByText('Up to 30 s')).toBeVisible()
    await expect
      .poll(async () => (await screen.db.selections.get(idOf(2)))?.requests)
      .toMatchObject([{ payload: { targetDuration: 30_000 } }])
  })

  test('LIF-02 what a set takes the place of can be taken back', async () => {
    await openFormats({ sets: [usual] })
    await button('Still Pack').click()
    await expect.element(page.getByText(/^1 edit · /)).toBeVisible()
    await button('My usual three · 3 edits').click()
    await expect.element(page.getByText(/^3 edits · /)).toBeVisible()
    await button('Undo').click()
    await expect.element(page.getByText(/^1 edit · /)).toBeVisible()
    await expect.element(button('Still Pack')).toHaveAttribute('aria-pressed', 'true')
  })

  test('LIF-02 a choice is saved under a name; a lost answer is repeated as the same set', async () => {
    const screen = await openFormats({ answers: { saveEditSet: unreachable } })
    await expect.element(button('Save as a set')).not.toBeInTheDocument()
    await button('15s Teaser').click()
    await button('Save as a set').click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.element(dialog.getByText('Type a name.')).toBeVisible()
    await dialog.getByLabelText('Name').fill('Fridays')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.element(dialog.getByRole('alert')).toBeVisible()
    const saved: EditSet = { ...usual, name: 'Fridays' }
    screen.server.comeBack()
    screen.server.answer({
      saveEditSet: { editSet: saved },
      listEditSets: { editSets: [saved] },
    })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.element(page.getByText(/"Fridays" is saved/)).toBeVisible()
    await expect.element(button('Fridays · 3 edits')).toBeVisible()
    const ids = screen.server.calls('saveEditSet').map(({ params }) => params['id'])
    expect(new Set(ids).size).toBe(1)
    expect(screen.server.calls('saveEditSet')[0]?.body).toEqual({
      editSet: {
        name: 'Fridays',
        mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'teaser-15s' }],
      },
    })
  })

  test('LIF-02 a name that is there already replaces that set, and says so before', async () => {
    const screen = await openFormats({
      sets: [usual],
      answers: { saveEditSet: refused(422, 'edit-sets/too-many', 'You have 20 sets.') },
    })
    await button('15s Teaser').click()
    await button('Save as a set').click()
    await dialog.getByLabelText('Name').fill('my usual THREE')
    await expect.element(dialog.getByText(/^You have a set "My usual three"/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await expect.element(dialog.getByText('You have 20 sets.')).toBeVisible()
    expect(screen.server.calls('saveEditSet')[0]?.params['id']).toBe(usual._id)
  })

  test('LIF-02 sets are renamed and deleted', async () => {
    const screen = await openFormats({
      sets: [usual],
      answers: { saveEditSet: { editSet: { ...usual, name: 'Mine' } }, deleteEditSet: done() },
    })
    await button('Change sets').click()
    screen.server.answer({ listEditSets: { editSets: [{ ...usual, name: 'Mine' }] } })
    await dialog.getByRole('textbox').fill('Mine')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    screen.server.answer({ listEditSets: { editSets: [] } })
    await dialog.getByRole('button', { name: 'Delete "Mine"' }).click()
    await expect.element(dialog.getByText('No sets are left.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect.element(button(/Mine/)).not.toBeInTheDocument()
  })

  test('LIF-02 sets that cannot be read say so and keep nothing from being chosen', async () => {
    await openFormats({ answers: { listEditSets: refused(422, 'request/invalid', 'Not today.') } })
    await expect.element(page.getByText('Unable to fetch your sets of edits')).toBeVisible()
    await button('15s Teaser').click()
    await expect.element(page.getByText(/^1 edit · /)).toBeVisible()
  })
})

describe('ordering again', () => {
  const finished = (number: number, uploadRequestId: string) =>
    fakeMediaJob({
      _id: idOf(number),
      uploadRequestId,
      isMediaWorkflowStarted: true,
      isUploadRequestCompleted: true,
      orderIsPlaced: true,
      orderId: idOf(3),
      progressRatio: 1,
      mediaJobTaskRequests: requests.slice(0, 2),
      tasks: [fakeTask({ status: 'succeeded', progressRatio: 1, outputs: [fakeOutput()] })],
    })

  test("LIF-02 'Last time' chooses what was ordered last for another video", async () => {
    await openFormats({ jobs: [finished(1, idOf(9))] })
    await button('Last time · 2 edits').click()
    await expect.element(page.getByText(/^2 edits · /)).toBeVisible()
  })

  test('LIF-02 a further order marks the edits that the video has already', async () => {
    await openFormats({ jobs: [finished(1, idOf(2))] })
    await expect.element(page.getByText('You have this edit of this video.')).toBeVisible()
    await expect.element(button(/Last time/)).not.toBeInTheDocument()
  })

  test("WAY-05 LIF-02 an order leads to 'More edits of this video', where 'Order again' chooses the same", async () => {
    const job = finished(1, idOf(2))
    const order = fakeOrder({ isFullyPaid: true, hasPaidWalletCoinTransactions: true })
    const screen = await openScreen({
      path: `/uploads/orders/${idOf(3)}/checkout`,
      rows: {
        uploads: [fakeUploadRow({ uploadRequestId: idOf(2), probe: report(true) })],
      },
      answers: {
        getOrder: { order },
        getMediaJob: { mediaJob: job },
        listOrderMediaJobs: { mediaJobs: [{ ...job, uploadRequest: fakeUploadRequest() }] },
      },
    })
    await page.getByRole('link', { name: 'More edits of this video' }).click()
    expect(screen.path()).toBe(FORMATS)
    await button('Order again · 2 edits').click()
    await expect.element(page.getByText(/^2 edits · /)).toBeVisible()
  })
})
