import { ATTESTATION } from '#spec/attestation.ts'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import {
  fakeMediaJob,
  fakeOrder,
  fakeUploadRequest,
  fakeUploadRow,
  fakeWallet,
  idOf,
} from '#tests/fakes/fake-rows.ts'
import { PRESETS } from './harness/creator.ts'
import { refused, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen, type Rows } from './harness/open-screen.tsx'
import { withoutPayments } from './harness/without-payments.ts'

const SELECT = '/select-media-job-task-presets'
const OF_UPLOAD = `?uploadRequestId=${idOf(2)}`
const wallet = fakeWallet()
const upload = fakeUploadRow({ uploadRequestId: idOf(2), state: { kind: 'paused' } })
const rows: Rows = { uploads: [upload], wallets: [wallets.toRow(wallet, NOW)] }
const answers: Answers = { listWallets: { wallets: [wallet] } }
const openSelection = (changes: Answers = {}, path = SELECT) =>
  openScreen({ path, rows, answers: { ...answers, ...changes } })
const box = (name: string) => page.getByRole('checkbox', { name })
/** A press on the words, which are part of the box. */
const tick = (name: string) => page.getByText(name).first().click()
const button = (name: string) => page.getByRole('button', { name })
const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const send = button('Send for Editing')

describe('selecting formats in the older flow', () => {
  test('FMT-08 shows the bar, the formats with their boxes, and what sends them', async () => {
    const screen = await openSelection()
    await expect.element(heading('Select formats to generate from your video.')).toBeVisible()
    await expect.element(page.getByRole('progressbar', { name: 'Uploaded' })).toBeVisible()
    await expect.element(send).toBeDisabled()
    // The address names its upload from now on, so that a newer one does not take its place.
    expect(screen.path()).toBe(SELECT + OF_UPLOAD)
    await tick('15s Teaser')
    await expect.element(page.getByText('1 edit · 300 tokens')).toBeVisible()
    await expect.element(send).toBeEnabled()
    await tick('15s Teaser')
    await expect.element(send).toBeDisabled()
    const frame = heading('Select formats to generate from your video.')
      .element()
      .closest('.max-w-content')
    expect(frame === null ? '' : getComputedStyle(frame).maxWidth).toBe('1280px')
  })

  test('FMT-08 says what is not there: formats, or a video', async () => {
    const screen = await openSelection({
      listPresets: {
        mediaJobTaskPresets: PRESETS.map((preset) => ({ ...preset, isOffered: false })),
      },
    })
    await expect.element(page.getByText('No media job task presets found.')).toBeVisible()
    await screen.goTo('/edits')
    await screen.db.uploads.clear()
    await screen.goTo(SELECT)
    await expect.element(page.getByText('No video to choose edits for')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Upload a video' }))
      .toHaveAttribute('href', '/uploads/new')
  })

  test('FMT-08 says why the formats could not be fetched, and tries again', async () => {
    const screen = await openSelection({
      listPresets: refused(422, 'request/invalid', 'No formats today.'),
    })
    await expect.element(page.getByText('No formats today.')).toBeVisible()
    screen.server.answer({ listPresets: { mediaJobTaskPresets: [...PRESETS] } })
    await button('Try Again').click()
    await expect.element(box('15s Teaser')).not.toBeChecked()
  })

  test('FMT-08 is about a video of another device that the address names', async () => {
    await openScreen({
      path: SELECT + OF_UPLOAD,
      answers: {
        ...answers,
        getUploadRequest: { uploadRequest: fakeUploadRequest({ _id: idOf(2) }) },
      },
    })
    await expect.element(page.getByRole('progressbar', { name: 'Uploaded' })).toBeVisible()
    await expect.element(box('Still Pack')).not.toBeChecked()
  })

  test('FMT-09 options come from a page of their own, and only Apply adds the format', async () => {
    const screen = await openSelection()
    await tick('Tube Cut')
    await expect.element(heading('Tube Cut')).toBeVisible()
    expect(screen.path()).toBe(`/select-tube-cut-options${OF_UPLOAD}`)
    await button('Cancel').click()
    await expect.element(box('Tube Cut')).not.toBeChecked()
    await tick('Tube Cut')
    await button('Apply').click()
    await expect.element(page.getByText('Tube Cut was added.')).toBeVisible()
    expect(screen.path()).toBe(SELECT + OF_UPLOAD)
    await expect.element(box('Tube Cut')).toBeChecked()
    await page.getByRole('link', { name: 'Change options of Tube Cut' }).click()
    await page.getByRole('textbox', { name: 'Target duration in minutes' }).fill('3')
    await button('Apply').click()
    await expect.element(page.getByText('The options of Tube Cut were changed.')).toBeVisible()
    await expect.element(page.getByText('Up to 3 min', { exact: false })).toBeVisible()
    await tick('Tube Cut')
    await expect.element(box('Tube Cut')).not.toBeChecked()
    expect((await screen.db.selections.get(idOf(2)))?.requests).toEqual([])
  })

  test('OPT-06 the incognito scene asks for both: voices changed, and noise taken off', async () => {
    const screen = await openSelection()
    await tick('Incognito Scene')
    await expect.element(heading('Incognito Scene')).toBeVisible()
    expect(screen.path()).toBe(`/select-incognito-full-scene-options${OF_UPLOAD}`)
    await expect.element(box('Obfuscate Voice')).toBeChecked()
    await expect.element(box('Denoise Audio')).not.toBeChecked()
    await expect
      .element(box('Denoise Audio'))
      .toHaveAccessibleDescription('Noise stays in the sound.')
    await tick('Denoise Audio')
    await expect
      .element(
        page.getByText('Steady noise is taken off: hiss, hum and fans. Music may suffer from it.'),
      )
      .toBeVisible()
    await button('Apply').click()
    await expect.element(page.getByText('Incognito Scene was added.')).toBeVisible()
    await expect.element(page.getByText('Voices changed, noise taken off')).toBeVisible()
    expect((await screen.db.selections.get(idOf(2)))?.requests).toEqual([
      {
        mediaJobTaskPresetSlug: 'incognito-full-scene',
        payload: { obfuscateVoice: true, denoiseAudio: true },
      },
    ])
    await page.getByRole('link', { name: 'Change options of Incognito Scene' }).click()
    await tick('Denoise Audio')
    await tick('Obfuscate Voice')
    await expect
      .element(page.getByText('Like this it makes the same video as Face Blur.'))
      .toBeVisible()
    await button('Apply').click()
    await expect.element(page.getByText('Voices as they are', { exact: true })).toBeVisible()
  })

  test('FMT-09 bad options stay on their page and say what is wrong', async () => {
    await openSelection({}, `/select-dynamic-watermark-options${OF_UPLOAD}`)
    await button('Apply').click()
    await expect.element(page.getByText('Please enter your Name or Social Tag')).toBeVisible()
    await page.getByRole('textbox', { name: 'Name or Social Tag' }).fill('@mara')
    await button('Apply').click()
    await expect.element(box('Dynamic Watermark')).toBeChecked()
    await expect.element(page.getByText('@mara')).toBeVisible()
  })

  test('APP-04 FMT-09 a format that is not offered says so and is no crash', async () => {
    await openSelection(
      {
        listPresets: {
          mediaJobTaskPresets: PRESETS.map((preset) => ({
            ...preset,
            isOffered: preset.slug !== 'team-skeet-trailer',
          })),
        },
      },
      `/select-team-skeet-trailer-options${OF_UPLOAD}`,
    )
    await expect.element(page.getByText('Brand Trailer is not supported yet')).toBeVisible()
    await page.getByRole('link', { name: 'See the formats on offer' }).click()
    await expect.element(box('15s Teaser')).not.toBeChecked()
    await expect.element(box('Brand Trailer')).not.toBeInTheDocument()
  })
})

describe('sending the edits of the older flow', () => {
  const order = fakeOrder()
  const sends: Answers = {
    createMediaJob: { mediaJob: fakeMediaJob() },
    createOrder: { order },
    getMediaJob: { mediaJob: fakeMediaJob({ orderIsPlaced: true, orderId: order._id }) },
    listMediaJobOrders: { orders: [order] },
    getOrder: { order },
    listOrderMediaJobs: { mediaJobs: [{ ...fakeMediaJob(), uploadRequest: fakeUploadRequest() }] },
  }

  test('JOB-02 leads to the checkout of the order, and the choice is empty again', async () => {
    const screen = await openSelection(sends)
    await tick('15s Teaser')
    await page.getByText(ATTESTATION.text).click()
    await send.click()
    await expect.poll(screen.path).toBe(`/orders/${order._id}/checkout`)
    expect(screen.server.calls('createMediaJob').length).toBe(1)
    expect(screen.server.calls('createOrder').map(({ body }) => body)).toEqual([
      { order: { mediaJobId: idOf(1), attestation: { version: ATTESTATION.version } } },
    ])
    expect(await screen.db.selections.get(idOf(2))).toBeUndefined()
    await screen.goTo(SELECT)
    await expect.element(page.getByText('No video to choose edits for')).toBeVisible()
  })

  test('JOB-02 LIF-08 leads to the library where payments are off', async () => {
    withoutPayments()
    const screen = await openSelection(sends)
    await tick('15s Teaser')
    await page.getByText(ATTESTATION.text).click()
    await send.click()
    await expect.poll(screen.path).toBe('/edits')
  })

  test('JOB-02 without a subscription the order is refused with the way to one', async () => {
    const screen = await openSelection({
      ...sends,
      createMediaJob: refused(403, 'auth/permission-missing'),
    })
    await tick('15s Teaser')
    await page.getByText(ATTESTATION.text).click()
    await send.click()
    await expect.element(page.getByText('Subscription Required')).toBeVisible()
    expect(screen.path()).toBe(SELECT + OF_UPLOAD)
  })

  test('JOB-02 a video that has its edits is not taken for the next ones', async () => {
    await openScreen({
      path: SELECT,
      rows: { ...rows, mediaJobs: [mediaJobToRow(fakeMediaJob(), NOW)] },
      answers,
    })
    await expect.element(page.getByText('No video to choose edits for')).toBeVisible()
  })
})
