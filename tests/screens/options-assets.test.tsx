import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import type { MediaAsset } from '#src/local/nouns/media-assets.ts'
import { readOptionsDraft } from '#src/local/db/form-drafts.ts'
import { fakeMediaAsset, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { ASSET_ROOM, CREATOR, type Person } from './harness/creator.ts'
import { pending, refused, type Answers } from './harness/fake-server.ts'
import { holdTables } from './harness/hold-tables.ts'
import { openScreen } from './harness/open-screen.tsx'

const PATH = `/uploads/${idOf(2)}/media-jobs/new`
const video = (number: number, name: string): MediaAsset =>
  fakeMediaAsset({ _id: idOf(number), name })
const LOGO = video(40, 'Logo')
const SEA = fakeMediaAsset({
  _id: idOf(41),
  name: 'Sea',
  format: { slug: 'image', thumbnailUrl: null, width: 400, height: 300 },
})
const FRESH = fakeMediaAsset({ _id: idOf(42), name: 'Fresh', format: null })
const JINGLE = fakeMediaAsset({
  _id: idOf(43),
  name: 'Jingle',
  format: { slug: 'audio', previewUrl: null, duration: 9000 },
})
interface FormOptions {
  readonly assets?: readonly MediaAsset[]
  readonly person?: Person
  readonly isPending?: boolean
  readonly introIds?: readonly string[]
  /** What is chosen already, beside a tube cut with these intros. */
  readonly request?: TaskRequest
  readonly music?: Answers['listMusicTracks']
}
const openForm = async (name: string, options: FormOptions = {}) => {
  const { assets = [LOGO, SEA, FRESH, JINGLE], person, isPending = false, introIds = [] } = options
  const { music = { musicTracks: [TRACK] } } = options
  const { request = introIds.length === 0 ? null : tubeCut(introIds) } = options
  const screen = await openScreen({
    path: PATH,
    ...(person === undefined ? {} : { person }),
    rows: {
      uploads: [fakeUploadRow({ uploadRequestId: idOf(2), state: { kind: 'paused' } })],
      selections:
        request === null ? [] : [{ key: idOf(2), requests: [request], updatedAtEpochMs: 1 }],
    },
    answers: {
      listMediaAssets: isPending
        ? pending
        : { mediaAssets: [...assets], mediaAssetRoom: ASSET_ROOM },
      listMusicTracks: music,
    },
  })
  await page
    .getByRole('button', request === null ? { name, exact: true } : { name: /^Change/ })
    .click()
  return screen
}
const tubeCut = (introIds: readonly string[]): TaskRequest => ({
  mediaJobTaskPresetSlug: 'tube-cut',
  payload: {
    targetDuration: 60_000,
    introMediaAssetIds: [...introIds],
    outroMediaAssetIds: [],
  },
})
const TRACK = {
  _id: idOf(60),
  name: 'Night Drive',
  previewUrl: null,
  duration: 25_000,
  licence: 'Made for Onecut',
  credit: null,
  createdAt: '2026-11-22T00:00:00.000Z',
}
const dialog = page.getByRole('dialog')
const intro = dialog.getByRole('group', { name: 'Intro Media Assets' })
const outro = dialog.getByRole('group', { name: 'Outro Media Assets' })
const apply = dialog.getByRole('button', { name: 'Apply' })
const places = intro.getByRole('list', { name: 'Order of the intro' }).getByRole('listitem')
const order = () => places.elements().map((element) => element.textContent)

test('OPT-07 Apply waits for the form, which waits for what it held', async () => {
  const screen = await openForm('Tube Cut')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  const letRead = await holdTables(screen.db, ['drafts'])
  await page.getByRole('button', { name: 'Tube Cut', exact: true }).click()
  await expect.element(apply).toBeDisabled()
  await letRead()
  await expect.element(apply).toBeEnabled()
  await apply.click()
  await expect.element(dialog).not.toBeInTheDocument()
})

describe('the brand trailer', () => {
  const choice = (name: string) => dialog.getByRole('combobox', { name })

  test('OPT-04 needs the brand videos, takes videos only, and adds music', async () => {
    const screen = await openForm('Brand Trailer')
    await apply.click()
    await expect
      .element(dialog.getByText('Please select a media asset for all required fields.'))
      .toBeVisible()
    await choice('Postroll Brand Video').selectOptions('Logo')
    await expect
      .element(dialog.getByText('Please select a media asset for the Preroll Brand Video.'))
      .toBeVisible()
    await expect.element(choice('Preroll Brand Video').getByText('Sea')).not.toBeInTheDocument()
    await choice('Preroll Brand Video').selectOptions('Logo')
    await choice('Disclaimer Video (optional)').selectOptions('Logo')
    await dialog.getByText('Night Drive').click()
    await expect
      .element(dialog.getByText('The trailer itself lasts 60 s; your videos add 36 s.'))
      .toBeVisible()
    await apply.click()
    await expect
      .poll(async () => (await screen.db.selections.get(idOf(2)))?.requests[0])
      .toEqual({
        mediaJobTaskPresetSlug: 'team-skeet-trailer',
        payload: {
          introBrandLogoVideoMediaAssetId: LOGO._id,
          introLicensorLogoVideoMediaAssetId: null,
          disclaimerVideoMediaAssetId: LOGO._id,
          outroLicensorLogoVideoMediaAssetId: null,
          outroBrandLogoVideoMediaAssetId: LOGO._id,
          musicTrackId: TRACK._id,
        },
      })
    await expect.element(page.getByText('3 videos of your brand, with music')).toBeVisible()
  })

  test('OPT-08 without the music, or the assets, the rest of the form stays', async () => {
    const screen = await openForm('Brand Trailer', {
      isPending: true,
      music: refused(422, 'request/invalid', 'Not today.'),
    })
    await expect.element(dialog.getByText('Unable to fetch music')).toBeVisible()
    await expect.element(dialog.getByRole('radio', { name: 'No music' })).toBeChecked()
    await expect.element(dialog.getByRole('status', { name: 'Loading media assets' })).toBeVisible()
    screen.server.answer({ listMusicTracks: { musicTracks: [TRACK] } })
    await dialog.getByRole('button', { name: 'Try Again' }).click()
    await expect.element(dialog.getByText('Night Drive')).toBeVisible()
  })

  test('OPT-04 without videos leads to the screen that uploads them', async () => {
    await openForm('Brand Trailer', { assets: [SEA] })
    await expect
      .element(dialog.getByText(/^No media assets available. Please upload media assets/))
      .toBeVisible()
    await expect
      .element(dialog.getByRole('link', { name: 'here' }))
      .toHaveAttribute('href', expect.stringContaining('/media-assets'))
  })
})

describe('intro and outro of an edit', () => {
  test('OPT-03 assets are ticked, put in order by buttons and by dragging, and their length is told', async () => {
    const screen = await openForm('Tube Cut')
    await expect.element(intro.getByText('None chosen')).toBeVisible()
    await expect.element(intro.getByRole('checkbox', { name: /Jingle/ })).not.toBeInTheDocument()
    await expect.element(intro.getByRole('checkbox', { name: /Fresh/ })).toBeDisabled()
    await expect.element(intro.getByText('Processing...')).toBeVisible()
    await intro.getByText('Logo').first().click()
    await intro.getByText('Sea').first().click()
    await outro.getByText('Logo').first().click()
    await expect.element(intro.getByText('2 chosen, 15 s together')).toBeVisible()
    await expect.element(dialog.getByText(/Intro and outro add 27 s\./)).toBeVisible()
    expect(order()).toEqual(['Logo', 'Sea'])
    await intro.getByRole('button', { name: 'Move up 2 of 2' }).click()
    expect(order()).toEqual(['Sea', 'Logo'])
    await userEvent.dragAndDrop(places.nth(1), places.nth(0))
    await expect.poll(order).toEqual(['Logo', 'Sea'])
    await intro.getByRole('button', { name: 'Move down 1 of 2' }).click()
    await apply.click()
    await expect
      .poll(async () => (await screen.db.selections.get(idOf(2)))?.requests[0])
      .toEqual({
        mediaJobTaskPresetSlug: 'tube-cut',
        payload: {
          targetDuration: 360_000,
          introMediaAssetIds: [SEA._id, LOGO._id],
          outroMediaAssetIds: [LOGO._id],
        },
      })
    await expect.element(page.getByText('Up to 6 min · 2 intros · 1 outro')).toBeVisible()
  })

  test('OPT-03 assets that are too long together are refused before they are ordered', async () => {
    const film = fakeMediaAsset({
      _id: idOf(44),
      name: 'Film',
      format: {
        slug: 'video',
        thumbnailUrl: null,
        previewUrl: null,
        duration: 20 * 60_000,
        width: 1920,
        height: 1080,
      },
    })
    await openForm('Tube Cut', { assets: [film] })
    await intro.getByText('Film').first().click()
    await outro.getByText('Film').first().click()
    await expect.element(dialog.getByRole('alert').getByText(/30 minutes together/)).toBeVisible()
    await apply.click()
    await expect.element(dialog).toBeVisible()
  })

  test('OPT-05 uniform sampling takes them too', async () => {
    const screen = await openForm('Uniform Sampling')
    await outro.getByText('Sea').first().click()
    await apply.click()
    await expect
      .poll(async () => (await screen.db.selections.get(idOf(2)))?.requests[0])
      .toMatchObject({ payload: { introMediaAssetIds: [], outroMediaAssetIds: [SEA._id] } })
  })

  test('OPT-03 without assets the way to them keeps the form, and comes back to it', async () => {
    const screen = await openForm('Tube Cut', { assets: [JINGLE] })
    await dialog.getByRole('textbox', { name: 'Target duration in minutes' }).fill('2')
    await expect
      .element(intro.getByText('No media assets available. Please upload media assets here'))
      .toBeVisible()
    await expect
      .element(intro.getByRole('link', { name: 'here' }))
      .toHaveAttribute('href', expect.stringMatching(/^\/media-assets\?/))
    await intro.getByRole('button', { name: 'Upload a new one' }).click()
    await expect.poll(screen.path).toBe(`/media-assets?for=${encodeURIComponent(PATH)}`)
    await expect.poll(() => readOptionsDraft(screen.db, PATH)).toMatchObject({ end: 'intro' })
    await page.getByRole('link', { name: 'Back to your edit' }).click()
    await expect
      .element(dialog.getByRole('textbox', { name: 'Target duration in minutes' }))
      .toHaveValue('2')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => screen.db.drafts.count()).toBe(0)
    await expect.element(dialog).not.toBeInTheDocument()
  })

  test('OPT-03 an intro that was deleted is missing, and nothing is ordered with it', async () => {
    const screen = await openForm('Tube Cut', { assets: [SEA], introIds: [LOGO._id, SEA._id] })
    await expect.element(intro.getByText('An intro is missing').first()).toBeVisible()
    await apply.click()
    await expect.element(dialog).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect
      .element(page.getByRole('main').getByRole('alert').getByText('An intro is missing'))
      .toBeVisible()
    const submit = page.getByRole('button', { name: 'Submit for Editing' })
    await expect.element(submit).toBeDisabled()
    await page.getByRole('button', { name: /^Change/ }).click()
    await intro.getByRole('button', { name: 'Remove 1 of 2' }).click()
    await apply.click()
    await expect.element(submit).toBeEnabled()
    expect((await screen.db.selections.get(idOf(2)))?.requests[0]).toMatchObject({
      payload: { introMediaAssetIds: [SEA._id] },
    })
  })

  test('OPT-03 waits for the list', async () => {
    await openForm('Tube Cut', { isPending: true })
    await expect.element(intro.getByRole('status', { name: 'Loading media assets' })).toBeVisible()
  })

  test('OPT-03 without the right to read assets there is nothing to choose', async () => {
    const permissions = CREATOR.permissions.filter((one) => one !== 'read:mediaAssets')
    const screen = await openForm('Tube Cut', { person: { ...CREATOR, permissions } })
    await expect
      .element(dialog.getByRole('textbox', { name: 'Target duration in minutes' }))
      .toBeVisible()
    await expect.element(intro).not.toBeInTheDocument()
    expect(screen.server.calls('listMediaAssets')).toEqual([])
  })
})

describe('the logo of a watermark', () => {
  const picture = (number: number, name: string, drawn: object): MediaAsset =>
    fakeMediaAsset({
      _id: idOf(number),
      name,
      format: {
        slug: 'image',
        thumbnailUrl: null,
        width: 600,
        height: 200,
        drawn: { width: 600, height: 200, isTransparent: true, ...drawn },
      },
    })
  const MARK = picture(50, 'Mark', {})
  const shows = dialog.getByLabelText('What it shows')
  const logo = dialog.getByLabelText('Logo')

  test('DEL-03 a logo is chosen instead of letters; one that cannot be used says why before it is ordered', async () => {
    const assets = [
      MARK,
      picture(51, 'Photo', { isTransparent: false }),
      picture(52, 'Line', { height: 30 }),
      picture(53, 'Dot', { width: 60, height: 60 }),
      picture(54, 'Nothing', { width: 0, height: 0 }),
      LOGO,
    ]
    const screen = await openForm('Dynamic Watermark', { assets })
    await shows.selectOptions('A logo')
    await apply.click()
    await expect
      .element(dialog.getByText('Please choose a logo from your media assets'))
      .toBeVisible()
    await expect.element(logo.getByText('Logo', { exact: true })).not.toBeInTheDocument()
    for (const [name, words] of [
      ['Photo', /no transparent parts, so it would be a box/],
      ['Line', /600 × 30, too thin/],
      ['Dot', /60 × 60, so it would be blurred/],
      ['Nothing', /Nothing is to be seen/],
    ] as const) {
      await logo.selectOptions(name)
      await expect.element(dialog.getByText(words)).toBeVisible()
      await apply.click()
      await expect.element(dialog).toBeVisible()
    }
    await logo.selectOptions('Mark')
    await expect.element(dialog.getByText(/^Where faces have been found/)).toBeVisible()
    await expect.element(dialog.getByText(/A preview shows the words 'Your logo'/)).toBeVisible()
    await apply.click()
    await expect
      .poll(async () => (await screen.db.selections.get(idOf(2)))?.requests[0])
      .toEqual({
        mediaJobTaskPresetSlug: 'dynamic-watermark',
        payload: { logoMediaAssetId: MARK._id, size: 'medium', strength: 'medium' },
      })
    await expect.element(page.getByText('With your logo')).toBeVisible()
  })

  test('DEL-03 a logo that was deleted is missing, and nothing is ordered with it', async () => {
    const payload = { logoMediaAssetId: idOf(59) }
    await openForm('', {
      assets: [MARK],
      request: { mediaJobTaskPresetSlug: 'dynamic-watermark', payload },
    })
    await expect
      .element(dialog.getByText('It was deleted. Please choose another logo.'))
      .toBeVisible()
    await apply.click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect
      .element(page.getByRole('main').getByRole('alert').getByText('A logo is missing'))
      .toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Submit for Editing' })).toBeDisabled()
    await page.getByRole('button', { name: /^Change/ }).click()
    await logo.selectOptions('Mark')
    await apply.click()
    await expect.element(page.getByRole('button', { name: 'Submit for Editing' })).toBeEnabled()
  })

  test('DEL-03 the form is kept while a logo is uploaded', async () => {
    await openForm('Dynamic Watermark', { assets: [SEA] })
    await dialog.getByLabelText(/Name or Social Tag/).fill('@me')
    await shows.selectOptions('A logo')
    await dialog.getByRole('button', { name: 'Upload a new one' }).click()
    await page.getByRole('link', { name: 'Back to your edit' }).click()
    await expect.element(shows).toHaveValue('logo')
    await shows.selectOptions('Letters')
    await expect.element(dialog.getByLabelText(/Name or Social Tag/)).toHaveValue('@me')
  })
})
