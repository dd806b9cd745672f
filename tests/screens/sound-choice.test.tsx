import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { fakeUploadRequest, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { refused, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen, type ScreenOptions } from './harness/open-screen.tsx'

type UploadSounds = components['schemas']['UploadSounds']
type UploadSound = UploadSounds['sounds'][number]
type Finding = UploadSound['findings'][number]

const choice = page.getByRole('radiogroup', { name: 'Sound of your edits' })
const desktop = choice.getByRole('radio', { name: /^Sound 1: Desktop Audio/ })
const mic = choice.getByRole('radio', { name: /^Sound 2: Mic/ })

const named = (taken: number): Finding => ({
  ruleId: 'A15',
  verdict: 'info',
  facts: { kind: 'sound', count: 2, taken },
})
const sound = (number: number, taken: number, more: Partial<UploadSound>): UploadSound => ({
  number,
  duration: 600_000,
  loudness: -31.4,
  language: null,
  title: 'Desktop Audio',
  isUsual: number === 1,
  isTaken: number === taken,
  videoDuration: 600_000,
  hasWideSound: true,
  findings: [named(number)],
  ...more,
})
/** What the server says when it has checked the file. */
const uploadSounds = (taken: number): UploadSounds => ({
  _id: idOf(2),
  isChecked: true,
  chosen: taken === 1 ? null : taken,
  sounds: [
    sound(1, taken, {}),
    sound(2, taken, { title: 'Mic', language: 'ger', loudness: -18.2, duration: 540_000 }),
  ],
})
const report: ProbeReport = {
  engine: 'mediabunny',
  container: 'MKV',
  mimeType: 'video/x-matroska',
  sizeBytes: 1000,
  durationMs: 600_000,
  video: null,
  audio: { codec: 'aac', channels: 2, sampleRate: 48_000 },
  videoTrackCount: 1,
  audioTrackCount: 2,
  sounds: [
    {
      number: 0,
      codec: 'aac',
      channels: 2,
      lengthMs: 600_000,
      language: null,
      title: 'Desktop Audio',
    },
    { number: 1, codec: 'aac', channels: 1, lengthMs: 540_000, language: 'ger', title: 'Mic' },
  ],
  findings: [named(1)],
  tookMs: 1,
}

const validated = fakeUploadRequest({
  state: 'validated',
  isValidated: true,
  uploadEndedAt: new Date(NOW).toISOString(),
  metadataProcessedAt: new Date(NOW).toISOString(),
  findings: [named(1)],
})

const open = (
  row: Partial<UploadRow> | null,
  answers: Answers,
  more: Partial<ScreenOptions> = {},
) =>
  openScreen({
    path: `/uploads/${idOf(2)}/media-jobs/new`,
    rows: row === null ? {} : { uploads: [fakeUploadRow({ uploadRequestId: idOf(2), ...row })] },
    answers,
    ...more,
  })

test('SRC-01 while a video uploads, the sound is chosen from what this device heard, and the server gets it once it answers', async () => {
  const screen = await open(
    { state: { kind: 'paused' }, probe: report },
    { chooseUploadSound: { uploadSounds: { ...uploadSounds(2), isChecked: false, sounds: [] } } },
    { network: 'server-away' },
  )
  await expect.element(desktop).toBeChecked()
  await expect.element(page.getByText('9 min, German')).toBeVisible()
  await page.getByText('Sound 2: Mic').click()
  await expect.element(mic).toBeChecked()
  await expect.element(page.getByText('2 audio tracks found. We use the second one.')).toBeVisible()
  await screen.letTimePassUntil(page.getByText(/^Your choice is kept on this device/))
  screen.setNetwork('online')
  await expect.poll(() => screen.server.calls('chooseUploadSound').length).toBeGreaterThan(0)
  expect(screen.server.calls('chooseUploadSound').map(({ body }) => body)).toContainEqual({
    sound: 2,
  })
  await expect.element(mic).toBeChecked()
})

test('SRC-01 of a checked video each sound has length, language and loudness, and what the server refuses is said', async () => {
  await page.viewport(360, 740)
  await open(null, {
    getUploadRequest: { uploadRequest: validated },
    getUploadSounds: { uploadSounds: uploadSounds(2) },
    chooseUploadSound: refused(422, 'uploads/no-such-sound'),
  })
  await expect.element(mic).toBeChecked()
  await expect.element(page.getByText('10 min, quiet (-31 LUFS)')).toBeVisible()
  await expect.element(page.getByText('9 min, German, well audible (-18 LUFS)')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  await page.getByText(/^Sound 1: Desktop Audio/).click()
  await expect.element(page.getByText('Your choice was not stored')).toBeVisible()
  await expect.element(mic).toBeChecked()
  await page.getByRole('button', { name: 'Show the stored choice' }).click()
  await expect.element(page.getByText('Your choice was not stored')).not.toBeInTheDocument()
})

test('SRC-01 a list that does not come says so, and what the device has of it stays', async () => {
  const screen = await open(
    { state: { kind: 'done', doneAtEpochMs: NOW }, arrivalFindings: [named(1)] },
    {
      getUploadRequest: { uploadRequest: validated },
      getUploadSounds: refused(409, 'uploads/failed'),
    },
  )
  await expect.element(page.getByText('Unable to fetch the sounds of this video')).toBeVisible()
  await screen.db.uploadSounds.put({ _id: idOf(2), value: uploadSounds(2), pulledAtEpochMs: NOW })
  await expect.element(mic).toBeChecked()
})
