import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { FACTS } from '#src/local/db/facts.ts'
import { idOf } from '#tests/fakes/fake-rows.ts'
import { NOTHING_STORED } from './harness/creator.ts'
import { done, pending, refused } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'

type Storage = components['schemas']['Storage']

const PATH = '/user-profile'
const answers = { listSessions: { sessions: [] } }
const section = () => page.getByRole('region', { name: 'Storage' })
const button = (name: string | RegExp) => section().getByRole('button', { name })
const full: Storage = {
  ...NOTHING_STORED,
  usedBytes: 165_000_000_000,
  keepSourcesDays: 30,
  videoCount: 2,
  videos: [
    {
      uploadRequestId: idOf(1),
      name: 'beach day.mp4',
      sourceBytes: 3_100_000_000,
      resultBytes: 300_000_000,
      resultCount: 4,
      uploadedAt: '2026-11-18T10:00:00.000Z',
      sourceGoesAt: '2026-12-18T10:00:00.000Z',
      resultsGoAt: null,
      isInUse: false,
    },
    {
      uploadRequestId: idOf(2),
      name: 'night.mp4',
      sourceBytes: 2_000_000_000,
      resultBytes: 0,
      resultCount: 0,
      uploadedAt: '2026-11-19T10:00:00.000Z',
      sourceGoesAt: null,
      resultsGoAt: null,
      isInUse: true,
    },
  ],
}

test('LIF-01 TRU-08 the storage section shows each video, its size, when it goes, and deletes it after a question', async () => {
  const screen = await openScreen({
    path: PATH,
    answers: { ...answers, readStorage: { storage: full }, deleteStoredSource: done() },
  })
  await expect.element(section().getByText('165 GB of 200 GB')).toBeVisible()
  await expect.element(section().getByText('Your storage is filling up')).toBeVisible()
  await expect
    .element(section().getByText(/Videos are deleted 30 days after their last edit at the latest/))
    .toBeVisible()
  await expect.element(section().getByText(/Video 3.1 GB, edits 300 MB in 4 files/)).toBeVisible()
  await expect.element(section().getByText('The video is deleted on Dec 18, 2026.')).toBeVisible()
  expect(button(/night/).elements()).toEqual([])
  await button('Delete video beach day.mp4').click()
  const dialog = page.getByRole('alertdialog')
  await expect.element(dialog.getByText(/Finished edits stay/)).toBeVisible()
  screen.server.answer({ readStorage: { storage: NOTHING_STORED } })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.element(page.getByText('"beach day.mp4" was deleted from the server.')).toBeVisible()
  await expect.element(section().getByText('None of your videos is on the server.')).toBeVisible()
})

test('LIF-01 the storage section keeps what this device knows when loading fails, and says why deleting failed', async () => {
  const screen = await openScreen({
    path: PATH,
    rows: { facts: [{ key: FACTS.storage, value: full, pulledAtEpochMs: NOW - 3_600_000 }] },
    answers: { ...answers, readStorage: refused(422, 'request/invalid', 'Not today.') },
  })
  await expect.element(section().getByText('Unable to fetch your storage')).toBeVisible()
  await expect.element(section().getByText('165 GB of 200 GB')).toBeVisible()
  screen.server.answer({
    readStorage: { storage: full },
    deleteStoredVideo: refused(409, 'uploads/in-use', 'Edits are still being made.'),
  })
  await expect
    .element(page.getByText(/^The size of a video includes the small copies and pictures/))
    .toBeVisible()
  await button('Delete everything of beach day.mp4').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(section().getByText('The files could not be deleted')).toBeVisible()
  await expect.element(section().getByText(/Edits are still being made/)).toBeVisible()
})

test('LIF-01 the storage section says when it knows nothing yet', async () => {
  await openScreen({ path: PATH, answers: { ...answers, readStorage: pending } })
  await expect.element(section().getByLabelText('Loading your storage')).toBeVisible()
})

test('LIF-01 names of videos without a gap keep the account within a narrow screen', async () => {
  const name = `${'beach'.repeat(20)}.mp4`
  const [video] = full.videos
  const deletion: NonNullable<Storage['deletions']>[number] = {
    _id: idOf(9),
    name: `gone ${name}`,
    what: 'video',
    reason: 'rule',
    sizeBytes: 2_100_000_000,
    begunAt: '2026-11-20T09:00:00.000Z',
    doneAt: '2026-11-20T09:00:01.000Z',
  }
  const videos = video === undefined ? [] : [{ ...video, name }]
  await page.viewport(360, 740)
  onTestFinished(() => page.viewport(1280, 800))
  await openScreen({
    path: PATH,
    answers: { ...answers, readStorage: { storage: { ...full, videos, deletions: [deletion] } } },
  })
  await expect.element(section().getByText(name, { exact: true })).toBeVisible()
  await button('What was deleted').click()
  await expect.element(section().getByText(`gone ${name}`)).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
})

test('TRU-08 the storage section sets the own rule, names media assets, and lists what was deleted', async () => {
  const stored: Storage = {
    ...full,
    keepSourcesDays: null,
    mediaAssets: { count: 3, maxCount: 200, bytes: 52_000_000, maxBytes: 10_000_000_000 },
    deleteSourcesAfterDays: null,
    deletions: [
      {
        _id: idOf(9),
        name: 'old.mp4',
        what: 'video',
        reason: 'rule',
        sizeBytes: 2_100_000_000,
        begunAt: '2026-11-20T09:00:00.000Z',
        doneAt: '2026-11-20T09:00:01.000Z',
      },
    ],
  }
  const screen = await openScreen({
    path: PATH,
    answers: {
      ...answers,
      readStorage: { storage: stored },
      updateProfile: { userProfile: { profession: 'Other', deleteSourcesAfterDays: 14 } },
    },
  })
  await expect
    .element(section().getByText(/^Media assets: 3 files, 52 MB of 10 GB\./))
    .toBeVisible()
  await expect
    .element(section().getByRole('link', { name: 'Open Media Assets' }))
    .toHaveAttribute('href', '/media-assets')
  await expect.element(section().getByText(/Videos stay until you delete them/)).toBeVisible()
  const rule = section().getByRole('combobox', { name: 'Delete videos by themselves' })
  await expect.element(rule).toHaveValue('never')
  screen.server.answer({ readStorage: { storage: { ...stored, deleteSourcesAfterDays: 14 } } })
  await rule.selectOptions('14')
  await expect.element(rule).toHaveValue('14')
  await expect
    .poll(() => screen.server.calls('updateProfile').map(({ body }) => body))
    .toEqual([{ userProfile: { deleteSourcesAfterDays: 14 } }])
  await expect
    .poll(() =>
      section()
        .getByText(/Videos stay until you delete them/)
        .elements(),
    )
    .toEqual([])
  await button('What was deleted').click()
  await expect
    .element(
      section().getByText('The video (2.1 GB) by your rule on Nov 20, 2026; its bytes are gone.'),
    )
    .toBeVisible()
  screen.server.answer({ updateProfile: refused(422, 'request/invalid', 'Not today.') })
  await rule.selectOptions('30')
  await expect.element(section().getByText('Your videos are kept as before.')).toBeVisible()
  await expect.element(rule).toHaveValue('14')
})
