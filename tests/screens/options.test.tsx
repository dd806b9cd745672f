import { ATTESTATION } from '#spec/attestation.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent, type Locator } from 'vitest/browser'
import { wallets } from '#src/local/nouns/wallets.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { fakeUploadMoments } from '#tests/fakes/fake-moments.ts'
import { fakeUploadRow, fakeWallet, idOf } from '#tests/fakes/fake-rows.ts'
import { PRESETS } from './harness/creator.ts'
import type { Body } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'
import { speak } from './harness/speak.ts'

const report = (durationMs: number, hasAudio: boolean, channels: number): ProbeReport => ({
  engine: 'mediabunny',
  container: 'MP4',
  mimeType: 'video/mp4',
  sizeBytes: 1000,
  durationMs,
  video: null,
  audio: hasAudio ? { codec: 'aac', channels, sampleRate: 48_000 } : null,
  videoTrackCount: 1,
  audioTrackCount: hasAudio ? 1 : 0,
  findings: [],
  tookMs: 1,
})
interface FormatsOptions {
  readonly durationMs?: number
  readonly hasAudio?: boolean
  readonly channels?: number
  readonly spendable?: number
  readonly listPresets?: Body<'listPresets'>
  readonly video?: ProbeReport['video']
  readonly findings?: ProbeReport['findings']
}
/** The choice of edits for a video of 70 s. */
const openFormats = ({
  durationMs = 70_000,
  hasAudio = true,
  channels = 2,
  spendable = 1000,
  listPresets,
  video = null,
  findings = [],
}: FormatsOptions = {}) => {
  const wallet = fakeWallet({ spendableCoinAmount: spendable })
  return openScreen({
    path: `/uploads/${idOf(2)}/media-jobs/new`,
    rows: {
      uploads: [
        fakeUploadRow({
          uploadRequestId: idOf(2),
          state: { kind: 'paused' },
          probe: { ...report(durationMs, hasAudio, channels), video, findings },
        }),
      ],
      wallets: [wallets.toRow(wallet, NOW)],
    },
    answers: {
      listWallets: { wallets: [wallet] },
      getUploadMoments: {
        uploadMoments: fakeUploadMoments({ state: 'unchecked', pictures: null }),
      },
      ...(listPresets === undefined ? {} : { listPresets }),
    },
  })
}
const VIDEO: ProbeReport['video'] = {
  codec: 'avc',
  codedWidth: 1920,
  codedHeight: 1080,
  displayWidth: 1920,
  displayHeight: 1080,
  rotation: 0,
  codecString: null,
  bitRate: null,
  frameRate: 30,
  isHdr: false,
}
const button = (name: string) => page.getByRole('button', { name })
const tab = (name: RegExp) => page.getByRole('tab', { name })
const dialog = page.getByRole('dialog')
const apply = dialog.getByRole('button', { name: 'Apply' })
const set = async (field: Locator, value: string) => {
  await field.fill(value)
  await userEvent.tab()
}
const paste = (text: string) => {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  document.activeElement?.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  )
}

/** By keyboard through all formats: what has the focus is never under the bar. */
const expectNoneCovered = async () => {
  const bar = button('Submit for Editing').element().closest('.sticky')
  if (bar === null) throw new Error('there is no bar')
  tab(/^Promotional Edits/)
    .element()
    .focus()
  const covered: string[] = []
  let count = 0
  for (; count < 60; count += 1) {
    await userEvent.tab()
    const focused = document.activeElement
    if (focused?.closest('[role=tabpanel]') == null) break
    if (focused.getBoundingClientRect().bottom > bar.getBoundingClientRect().top)
      covered.push(focused.getAttribute('aria-label') ?? focused.textContent)
  }
  expect(covered).toEqual([])
  expect(count).toBeGreaterThan(15)
}

describe('choosing edits', () => {
  test('FMT-05 FMT-02 adds up what the choice costs and leaves, and each tab counts what is chosen in it', async () => {
    await openFormats()
    await expect.element(button('Submit for Editing')).toBeDisabled()
    await expect.element(page.getByText('Choose at least one edit to continue.')).toBeVisible()
    await expect.element(tab(/^Promotional Edits$/)).toBeVisible()
    await button('15s Teaser').click()
    await button('Still Pack').click()
    await expect.element(page.getByText('2 edits · 450 tokens')).toBeVisible()
    await expect
      .element(page.getByText('You have 1,000 tokens. 550 tokens will be left.'))
      .toBeVisible()
    await expect.element(button('15s Teaser')).toHaveAttribute('aria-pressed', 'true')
    await expect.element(button('Submit for Editing')).toBeEnabled()
    await expect.element(tab(/^Promotional Edits\s*2 chosen$/)).toBeVisible()
    await tab(/^Full Scene Edits$/).click()
    await button('Low Resolution Copy').click()
    await expect.element(tab(/^Full Scene Edits\s*1 chosen$/)).toBeVisible()
    await button('Low Resolution Copy').click()
    await expect.element(tab(/^Full Scene Edits$/)).toBeVisible()
    await tab(/^Promotional Edits/).click()
    await button('15s Teaser').click()
    await expect.element(page.getByText('1 edit · 150 tokens')).toBeVisible()
    await expect.element(tab(/^Promotional Edits\s*1 chosen$/)).toBeVisible()
    await button('Still Pack').click()
    await expect.element(tab(/^Promotional Edits$/)).toBeVisible()
  })

  test('DEL-05 every format has a preview, and what only the server shows says when it will', async () => {
    await openFormats({ video: VIDEO })
    for (const group of [/^Promotional Edits$/, /^Full Scene Edits$/]) {
      await tab(group).click()
      const cards = page.getByRole('tabpanel').getByRole('heading')
      await expect.element(cards.first()).toBeVisible()
      for (const name of cards.elements().map(({ textContent }) => textContent))
        await expect.element(button(`Preview of ${name}`)).toBeVisible()
    }
    await button('Preview of Enhanced Audio').click()
    await expect
      .element(page.getByRole('dialog').getByText(/once your video has arrived and was checked\./))
      .toBeVisible()
  })

  test('DEL-05 the preview in a dialog of options takes the focus of its button', async () => {
    await openFormats({ video: VIDEO })
    await button('Dynamic Watermark').click()
    await dialog.getByRole('button', { name: 'Preview', exact: true }).click()
    await expect.element(dialog.getByRole('region', { name: 'Preview' })).toHaveFocus()
  })

  test('REC-03 a preview of GIFs says that it does not know what moves, before the server does', async () => {
    await openFormats({ video: VIDEO })
    await button('Preview of Social Media GIF Pack').click()
    await expect
      .element(dialog.getByText(/This preview does not know where they are\.$/))
      .toBeVisible()
  })

  test('REC-29 so does one of an upright teaser, and none of a whole picture', async () => {
    await openFormats({ video: VIDEO })
    await button('Preview of Upright Teaser').click()
    await expect
      .element(dialog.getByText(/This preview does not know where they are\.$/))
      .toBeVisible()
    await userEvent.keyboard('{Escape}')
    await button('Preview of 15s Teaser').click()
    await expect.element(dialog.getByText(/^Shows 15 s of /)).toBeVisible()
    await expect.element(dialog.getByText(/does not know where they are/)).not.toBeInTheDocument()
  })

  test('the bar with the sum covers no button that has the focus, without a choice and with one', async () => {
    const { innerWidth, innerHeight } = window
    await page.viewport(1440, 900)
    onTestFinished(() => page.viewport(innerWidth, innerHeight))
    await openFormats({ video: VIDEO })
    await expect.element(button('Preview of 15s Teaser')).toBeVisible()
    await expectNoneCovered()
    for (const name of ['15s Teaser', 'Still Pack']) await button(name).click()
    await expectNoneCovered()
  })

  test('FMT-03 FMT-06 REC-17 cards have their badges and a price for started minutes, and music may be turned down while two channels are not measured', async () => {
    await openFormats()
    const badged = (badge: string) =>
      page
        .getByRole('listitem')
        .filter({ has: page.getByText(badge, { exact: true }) })
        .getByRole('heading')
    const names = (badge: string) =>
      badged(badge)
        .elements()
        .map((name) => name.textContent)
    const named = (...slugs: string[]) =>
      PRESETS.filter(({ slug }) => slugs.includes(slug)).map(({ name }) => name)
    await expect.element(badged('Popular').first()).toBeVisible()
    expect(names('Popular')).toEqual(named('social-media-gif-pack', 'teaser-15s'))
    expect(names('New')).toEqual(named('still-pack', 'blur-video-and-audio', 'uniform-sampling'))
    await expect.element(page.getByText('40 tokens for 2 min').first()).toBeVisible()
    await tab(/^Full Scene Edits/).click()
    await expect.element(button('Low Resolution Copy')).toBeVisible()
    expect([...names('Popular'), ...names('New')]).toEqual([])
    await expect.element(button('Remove Background Music')).toBeEnabled()
    await expect.element(page.getByText(/^Needs stereo sound/)).not.toBeInTheDocument()
  })

  test('FMT-05 in preview mode, before there is a video, nothing can be chosen or submitted', async () => {
    await openScreen({ path: '/uploads/new' })
    await expect.element(page.getByRole('heading', { name: '15s Teaser' })).toBeVisible()
    await expect.element(button('15s Teaser')).not.toBeInTheDocument()
    await expect.element(button('Submit for Editing')).not.toBeInTheDocument()
  })

  test('TRU-09 the first order of a video waits for its box, and says so', async () => {
    const screen = await openFormats()
    await button('15s Teaser').click()
    await button('Submit for Editing').click()
    await expect.element(page.getByText(/^Please tick this box to order/)).toBeVisible()
    expect(await screen.db.outbox.count()).toBe(0)
    await page.getByText(ATTESTATION.text).click()
    await expect.element(page.getByText(/^Please tick this box to order/)).not.toBeInTheDocument()
  })

  test('TRU-09 on phones the box stands above the bar, and comes into view where it is missed', async () => {
    await page.viewport(360, 740)
    onTestFinished(() => page.viewport(1280, 800))
    await openFormats()
    await button('15s Teaser').click()
    const submit = button('Submit for Editing').element()
    const bar = submit.closest('.sticky')
    expect(bar?.getBoundingClientRect().height).toBeLessThan(740 / 6)
    const box = page.getByRole('checkbox', { name: ATTESTATION.text })
    expect(box.element().getBoundingClientRect().top).toBeGreaterThan(740)
    await button('Submit for Editing').click()
    await expect.element(box).toHaveFocus()
    await expect
      .poll(() => box.element().getBoundingClientRect().bottom)
      .toBeLessThanOrEqual(submit.getBoundingClientRect().top)
    await expect.element(page.getByText(/^Please tick this box to order/)).toBeInViewport()
  })

  test('FMT-05 says how many tokens are missing', async () => {
    await openFormats({ spendable: 100 })
    await button('15s Teaser').click()
    await expect
      .element(page.getByText('You have 100 tokens. This order needs 200 tokens more.'))
      .toBeVisible()
  })

  test('the keyboard focus is seen on tabs and formats', async () => {
    await openFormats()
    const outlineOf = (element: Locator) => getComputedStyle(element.element()).outlineStyle
    const promotional = tab(/^Promotional Edits/)
    await promotional.click()
    await userEvent.keyboard('{ArrowRight}{ArrowLeft}')
    await expect.element(promotional).toHaveFocus()
    expect(outlineOf(promotional)).toBe('solid')
    // From the tab to the formats below it.
    while (document.activeElement !== button('Social Media GIF Pack').element())
      await userEvent.tab()
    await userEvent.keyboard(' ')
    expect(outlineOf(button('Social Media GIF Pack'))).toBe('solid')
  })

  test('FMT-04 a format that needs a longer video says so once it is chosen', async () => {
    await openFormats({ durationMs: 5_000 })
    const words = page.getByText(/This video is 5 s long.*Social Media GIF Pack.*at least 14 s/)
    await expect.element(words).not.toBeInTheDocument()
    await button('Social Media GIF Pack').click()
    await expect.element(words.first()).toBeVisible()
    await expect.element(button('Submit for Editing')).toBeEnabled()
  })

  test('DEL-01 a teaser that would be the whole video is not offered, and says why', async () => {
    await openFormats({ durationMs: 12_000 })
    const card = page.getByRole('listitem').filter({ has: button('15s Teaser') })
    await expect
      .element(
        card.getByText(
          'Your video is 12 s long, so a teaser of 15 s would be all of it: please choose another edit.',
        ),
      )
      .toBeVisible()
    await expect.element(button('15s Teaser')).toBeDisabled()
  })

  test('FMT-04 OPT-06 a voice mask and an incognito scene are not offered for a video without sound, and say why', async () => {
    await openFormats({ hasAudio: false })
    await tab(/Full Scene Edits/).click()
    for (const name of ['Voice Mask', 'Incognito Scene']) {
      const card = page.getByRole('listitem').filter({ has: button(name) })
      await expect.element(card.getByText('Needs sound. This video has none.')).toBeVisible()
      await expect.element(button(name)).toBeDisabled()
    }
    await expect.element(button('Face Blur')).toBeEnabled()
  })

  test('SRC-04 the card of an edit of passages says that it shows a VR180 video flat, and can be chosen', async () => {
    const facts = { kind: 'VR180', double: 'yes', kept: 'yes' }
    await openFormats({ findings: [{ ruleId: 'A19', verdict: 'info', facts }] })
    const flat = 'Shows the flat double picture of this VR180 video, with both eyes.'
    const teaser = page.getByRole('listitem').filter({ hasText: '15s Teaser' })
    await expect.element(teaser.getByText(flat)).toBeVisible()
    const choice = teaser.getByRole('button', { name: '15s Teaser', exact: true })
    await expect.element(choice).toHaveAccessibleDescription(new RegExp(`^${flat}`))
    await choice.click()
    await expect.element(choice).toHaveAttribute('aria-pressed', 'true')
    const watermark = page.getByRole('listitem').filter({ hasText: 'Dynamic Watermark' })
    expect(watermark.getByText(/flat/).elements()).toEqual([])
  })

  test('REC-17 turning music down is not offered for sound of one channel, and its card says why', async () => {
    await openFormats({ channels: 1 })
    await tab(/Full Scene Edits/).click()
    await expect
      .element(
        page.getByText('Needs stereo sound. In this video both sides sound the same.').first(),
      )
      .toBeVisible()
    await expect.element(button('Remove Background Music')).toBeDisabled()
    await expect.element(button('Enhanced Audio')).toBeEnabled()
    await expect.element(button('Denoised Scene')).toBeEnabled()
  })

  test('FMT-04 a format that this server does not offer is not shown', async () => {
    await openFormats({
      listPresets: {
        mediaJobTaskPresets: PRESETS.map((preset) => ({
          ...preset,
          isOffered: preset.slug !== 'still-pack',
        })),
      },
    })
    await expect.element(button('15s Teaser')).toBeVisible()
    await expect.element(button('Still Pack')).not.toBeInTheDocument()
  })

  test('FMT-05 the choice is kept on the device', async () => {
    const screen = await openFormats()
    await button('Still Pack').click()
    await expect.element(page.getByText('1 edit · 150 tokens')).toBeVisible()
    await screen.goTo('/edits')
    await screen.goTo(`/uploads/${idOf(2)}/media-jobs/new`)
    await expect.element(page.getByText('1 edit · 150 tokens')).toBeVisible()
  })
})

describe('the options of an edit', () => {
  test('OPT-01 a watermark needs a name, which the field gets the focus for', async () => {
    await openFormats()
    await button('Dynamic Watermark').click()
    const name = dialog.getByLabelText(/Name or Social Tag/)
    await expect.element(name).toHaveFocus()
    await apply.click()
    await expect.element(dialog.getByText('Please enter your Name or Social Tag')).toBeVisible()
    await name.fill('@someusername')
    await apply.click()
    await expect.element(page.getByText('@someusername')).toBeVisible()
    await expect.element(page.getByText('1 edit · 40 tokens')).toBeVisible()
    await button('Change options of Dynamic Watermark').click()
    await expect.element(name).toHaveValue('@someusername')
  })

  test('OPT-01 the form says where a text is broken that an upright video has no room for', async () => {
    const upright = { displayWidth: 1080, displayHeight: 1920 }
    await openFormats({ video: { ...VIDEO, ...upright } })
    await page.getByRole('button', { name: 'Dynamic Watermark', exact: true }).click()
    const lines = dialog.getByText(/^In this video it stands in/)
    const name = dialog.getByLabelText(/Name or Social Tag/)
    await name.fill('My Name Of Many Words @someusername.example')
    await expect
      .element(lines)
      .toHaveTextContent(
        'In this video it stands in 2 lines: My Name Of Many Words / @someusername.example',
      )
    await name.fill('@someusername')
    await expect.element(lines).not.toBeInTheDocument()
  })

  test('DEL-03 the size and the strength of a watermark are chosen, shown and kept', async () => {
    await openFormats()
    await button('Dynamic Watermark').click()
    const [size, strength] = [dialog.getByLabelText('Size'), dialog.getByLabelText('Strength')]
    await dialog.getByLabelText(/Name or Social Tag/).fill('@me')
    await expect.element(size).toHaveValue('medium')
    await size.selectOptions('Large')
    await strength.selectOptions('Light')
    await apply.click()
    await expect.element(page.getByText('@me · large, light')).toBeVisible()
    await button('Change options of Dynamic Watermark').click()
    await expect.element(size).toHaveValue('large')
    await expect.element(strength).toHaveValue('light')
  })

  test('OPT-01 the form shows what is drawn of a text, where that is not all of it', async () => {
    await openFormats()
    await button('Dynamic Watermark').click()
    const name = dialog.getByLabelText(/Name or Social Tag/)
    const drawn = dialog.getByText(/^Will be drawn as:/)
    await name.fill('🎥 @me日本')
    await expect.element(drawn).toHaveTextContent('Will be drawn as: @me')
    await name.fill('𝓵𝓲𝓴𝓮 𝓽𝓱𝓲𝓼')
    await expect.element(drawn).toHaveTextContent('Will be drawn as: like this')
    // Space at the ends, and a letter that is typed as two characters, change nothing to be seen.
    for (const text of ['  @me ', 'Zoe\u0308', '日本', '']) {
      await name.fill(text)
      await expect.element(drawn).not.toBeInTheDocument()
    }
  })

  test('FMT-04 Escape closes the options, adds nothing and gives the focus back', async () => {
    await openFormats()
    await button('Dynamic Watermark').click()
    await expect.element(dialog).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(button('Dynamic Watermark')).toHaveFocus()
    await expect.element(page.getByText('0 edits · 0 tokens')).toBeVisible()
  })

  test('OPT-02 DEL-01 a tube cut begins with a third of the video, takes no negative length, and refuses what would be the whole video', async () => {
    await openFormats()
    await button('Tube Cut').click()
    const minutes = dialog.getByRole('textbox', { name: 'Target duration in minutes' })
    await expect.element(minutes).toHaveValue('0.3')
    await expect.element(dialog.getByText('About 18 s long.')).toBeVisible()
    await minutes.click()
    await userEvent.keyboard('-')
    await expect.element(minutes).toHaveValue('0.3')
    paste('-5')
    await expect.element(dialog.getByText('Negative target duration is not allowed')).toBeVisible()
    await set(minutes, '6')
    const whole = dialog.getByText(
      'Your video is 1 min 10 s long, so this would be all of it: please enter a shorter length, or add an intro or outro.',
    )
    await expect.element(whole).toBeVisible()
    await apply.click()
    await expect.element(whole).toBeVisible()
    await set(minutes, '')
    await expect
      .element(dialog.getByText(/^The full length without an intro or outro/))
      .toBeVisible()
    await set(minutes, '1')
    await apply.click()
    await expect.element(page.getByText('Up to 1 min', { exact: true })).toBeVisible()
  })

  test('OPT-02 OPT-05 a form that was opened before the length was known takes its third, until it is changed', async () => {
    const screen = await openFormats()
    const knows = async (probe: ProbeReport | null) =>
      await screen.db.uploads.toCollection().modify({ probe })
    await knows(null)
    await button('Uniform Sampling').click()
    const seconds = dialog
      .getByRole('group', { name: 'Final length' })
      .getByRole('textbox', { name: 'Seconds' })
    await expect.element(seconds).toHaveValue('0')
    await knows(report(70_000, true, 2))
    await expect.element(seconds).toHaveValue('20')
    await userEvent.keyboard('{Escape}')
    await knows(null)
    await button('Tube Cut').click()
    const minutes = dialog.getByRole('textbox', { name: 'Target duration in minutes' })
    await expect.element(minutes).toHaveValue('6')
    await set(minutes, '1')
    await knows(report(70_000, true, 2))
    await expect.element(dialog.getByText('About 1 min long.')).toBeVisible()
    await expect.element(minutes).toHaveValue('1')
  })

  test('OPT-02 a tube cut refuses a length that is next to nothing, or negative, and keeps none of them', async () => {
    await openFormats()
    await button('Tube Cut').click()
    const minutes = dialog.getByRole('textbox', { name: 'Target duration in minutes' })
    const tooShort = dialog.getByText(/^A tube cut is at least 12 s long \(0\.2 minutes\)/)
    await set(minutes, '0.01')
    await expect.element(minutes).toHaveValue('0.01')
    await expect.element(tooShort).toBeVisible()
    expect(dialog.getByText(/full length of your video|long\.$/).elements()).toEqual([])
    await apply.click()
    await expect.element(tooShort).toBeVisible()
    await minutes.click()
    await userEvent.keyboard('{ControlOrMeta>}a{/ControlOrMeta}')
    paste('-5')
    await expect.element(dialog.getByText('Negative target duration is not allowed')).toBeVisible()
    await apply.click()
    await expect.element(dialog).toBeVisible()
    await set(minutes, '0.7')
    await expect.element(dialog.getByText('About 42 s long.')).toBeVisible()
    await apply.click()
    await expect.element(dialog).not.toBeInTheDocument()
  })

  test.each(['de', 'ar-EG', 'hi'])(
    'TYP-02 OPT-02 a length is read alike in a browser that speaks %s, and the form says how',
    async (language) => {
      speak(language)
      await openFormats({ durationMs: 600_000 })
      await button('Tube Cut').click()
      const minutes = dialog.getByRole('textbox', { name: 'Target duration in minutes' })
      for (const same of ['1.5', '1,5', '1:30', '١٫٥', '１．５', '१.५', '1 min 30 s']) {
        await minutes.fill(same)
        await expect.element(minutes).toHaveValue(same)
        await expect.element(dialog.getByText('About 1 min 30 s long.')).toBeVisible()
        if (same !== '1.5') await expect.element(dialog.getByText('Read as 1.5')).toBeVisible()
      }
      await userEvent.tab()
      await expect.element(minutes).toHaveValue('1.5')
      await apply.click()
      await expect.element(page.getByText('Up to 1 min 30 s', { exact: true })).toBeVisible()
    },
  )

  test('TYP-02 OPT-02 OPT-05 a field says what it does not take, keeps it, and nothing is made of it', async () => {
    await openFormats()
    await button('Tube Cut').click()
    const words = dialog.getByText('Please enter minutes, for example 1.5 or 1:30.')
    const minutes = dialog.getByRole('textbox', { name: 'Target duration in minutes' })
    for (const odd of ['abc', '1:75', '1.5.5', '½']) {
      await set(minutes, odd)
      await expect.element(minutes).toHaveValue(odd)
      await expect.element(words).toBeVisible()
      await apply.click()
      await expect.element(words).toBeVisible()
    }
    await set(minutes, '0.5')
    await expect.element(words).not.toBeInTheDocument()
    await minutes.click()
    await userEvent.keyboard('{ArrowUp}')
    await expect.element(minutes).toHaveValue('0.6')
    await dialog.getByRole('button', { name: 'Decrease Target duration in minutes' }).click()
    await expect.element(minutes).toHaveValue('0.5')
    await userEvent.keyboard('{Escape}')
    await button('Uniform Sampling').click()
    await set(dialog.getByRole('textbox', { name: 'Moments' }), '2,5')
    await expect
      .element(dialog.getByText('Please enter a whole number, for example 10.'))
      .toBeVisible()
    await expect.element(apply).toBeDisabled()
    await set(dialog.getByRole('textbox', { name: 'Moments' }), '61')
    await expect.element(dialog.getByText('Please choose 2 to 60 moments')).toBeVisible()
    await set(dialog.getByRole('textbox', { name: 'Moments' }), '٥')
    await expect.element(dialog.getByText('5 moments of about 4 s each.')).toBeVisible()
    // A length with its units is the whole length, in whichever of the two fields it is typed.
    const length = dialog.getByRole('group', { name: 'Final length' })
    const min = length.getByRole('textbox', { name: 'Minutes' })
    const sec = length.getByRole('textbox', { name: 'Seconds' })
    await set(min, '0:15')
    await expect.element(sec).toHaveValue('15')
    await expect.element(dialog.getByText('5 moments of about 3 s each.')).toBeVisible()
    await set(sec, '1:75')
    await expect.element(length.getByText(/^Please enter a number in digits/)).toBeVisible()
    await set(sec, '0 min 10 s')
    await expect.element(min).toHaveValue('0')
    await expect.element(sec).toHaveValue('10')
    await expect.element(dialog.getByText('5 moments of about 2 s each.')).toBeVisible()
    // What was not read there does not stay beside the length that was.
    await set(sec, 'soon')
    await set(min, '0:15')
    await expect.element(sec).toHaveValue('15')
    await expect.element(length.getByText(/^Please enter a number/)).not.toBeInTheDocument()
  })

  test('OPT-07 the finale of a trailer GIF is set on the video, or left out', async () => {
    const screen = await openFormats()
    const requests = async () => (await screen.db.selections.get(idOf(2)))?.requests
    await button('Short Trailer GIF').click()
    await expect
      .element(dialog.getByText('The last fifth of your video is left out.'))
      .toBeVisible()
    await dialog.getByText('Include the finale').click()
    await expect.element(dialog.getByText('Not chosen yet')).toBeVisible()
    await expect
      .element(dialog.getByText(/^Pictures of your video come here once it is uploaded/))
      .toBeVisible()
    await apply.click()
    await expect.element(dialog.getByText('Please choose the moment on your video')).toBeVisible()
    const slider = dialog.getByRole('slider', { name: 'Moment' })
    slider.element().focus()
    await userEvent.keyboard('{End}{ArrowLeft}{ArrowLeft}')
    await expect.element(slider).toHaveAttribute('aria-valuetext', '1:09')
    await apply.click()
    await expect.poll(requests).toEqual([
      {
        mediaJobTaskPresetSlug: 'short-trailer-gif',
        payload: { includeKumshot: true, momentMs: 69_000 },
      },
    ])
    await expect.element(page.getByText('Finale at 1:09')).toBeVisible()
    await button('Change options of Short Trailer GIF').click()
    await dialog.getByText('Include the finale').click()
    await apply.click()
    await expect.element(page.getByText('Without the finale')).toBeVisible()
  })

  test('OPT-06 an incognito scene asks whether voices are changed, and never for noise here', async () => {
    const screen = await openFormats()
    const requests = async () => (await screen.db.selections.get(idOf(2)))?.requests
    const box = dialog.getByRole('checkbox', { name: 'Obfuscate Voice' })
    await tab(/Full Scene Edits/).click()
    await button('Incognito Scene').click()
    await expect.element(box).toBeChecked()
    await expect
      .element(box)
      .toHaveAccessibleDescription(
        'Everyone who speaks gets another voice, which software that compares voices can still tell. Music changes too.',
      )
    expect(dialog.getByText('Denoise Audio').elements()).toHaveLength(0)
    await apply.click()
    await expect.poll(requests).toEqual([
      {
        mediaJobTaskPresetSlug: 'incognito-full-scene',
        payload: { obfuscateVoice: true, denoiseAudio: false },
      },
    ])
    await expect.element(page.getByText('Voices changed', { exact: true })).toBeVisible()
    await expect.element(page.getByText('1 edit · 150 tokens')).toBeVisible()
    await button('Change options of Incognito Scene').click()
    await dialog.getByText('Obfuscate Voice').click()
    await expect
      .element(dialog.getByText('Voices stay as they are, and people can be recognised by them.'))
      .toBeVisible()
    await expect
      .element(dialog.getByRole('status'))
      .toHaveTextContent('Like this it makes the same video as Face Blur.')
    await apply.click()
    await expect.element(page.getByText('Voices as they are', { exact: true })).toBeVisible()
  })

  test('OPT-05 DEL-01 asks for length, moments and offsets, and refuses what the video is too short for', async () => {
    await openFormats()
    await button('Uniform Sampling').click()
    const field = (group: string, name: string) =>
      dialog.getByRole('group', { name: group }).getByRole('textbox', { name })
    const moments = dialog.getByRole('textbox', { name: 'Moments' })
    await expect.element(field('Final length', 'Minutes')).toHaveValue('0')
    await expect.element(field('Final length', 'Seconds')).toHaveValue('20')
    await expect.element(moments).toHaveValue('10')
    await expect.element(field('Leave out at the start', 'Seconds')).toHaveValue('0')
    await expect.element(field('Leave out at the end', 'Minutes')).toHaveValue('0')
    await expect.element(dialog.getByText('10 moments of about 2 s each.')).toBeVisible()
    await expect.element(apply).toBeEnabled()

    await set(field('Final length', 'Minutes'), '5')
    await expect
      .element(
        dialog.getByText(
          'Your video is 1 min 10 s long, so this would be all of it: please enter a shorter final length, or add an intro or outro.',
        ),
      )
      .toBeVisible()
    await expect.element(apply).toBeDisabled()
    await set(field('Final length', 'Seconds'), '75')
    await expect.element(dialog.getByText('Seconds must be between 0 and 59')).toBeVisible()
    await expect.element(apply).toBeDisabled()
    await set(field('Final length', 'Seconds'), '9')
    await set(field('Final length', 'Minutes'), '0')
    await expect
      .element(dialog.getByText('The final length must be at least 10 seconds'))
      .toBeVisible()
    await expect.element(apply).toBeDisabled()
    await set(field('Final length', 'Seconds'), '12')
    await expect.element(apply).toBeEnabled()

    await field('Leave out at the start', 'Seconds').click()
    await userEvent.keyboard('-')
    await expect.element(field('Leave out at the start', 'Seconds')).toHaveValue('0')
    paste('-5')
    await expect.element(dialog.getByText('Negative values are not allowed')).toBeVisible()
    await set(field('Leave out at the start', 'Seconds'), '10')
    await expect
      .element(dialog.getByText('Negative values are not allowed'))
      .not.toBeInTheDocument()
    await set(field('Leave out at the end', 'Minutes'), '1')
    await expect
      .element(
        dialog.getByText('This leaves nothing of your video to show. Please leave out less.'),
      )
      .toBeVisible()
    await expect.element(apply).toBeDisabled()
    await set(field('Leave out at the end', 'Minutes'), '0')
    await set(moments, '4')
    await expect.element(dialog.getByText('4 moments of about 3 s each.')).toBeVisible()
    await apply.click()
    await expect.element(page.getByText('4 moments, 12 s')).toBeVisible()
  })
})
