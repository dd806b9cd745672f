import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { wallets } from '#src/local/nouns/wallets.ts'
import { fakeUploadMoments } from '#tests/fakes/fake-moments.ts'
import { fakeUploadRow, fakeWallet, idOf } from '#tests/fakes/fake-rows.ts'
import { refused, unreachable, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'

const dialog = page.getByRole('dialog', { name: 'Short Trailer GIF' })
const places = dialog.getByRole('toolbar', { name: 'Places in the video' })
const slider = dialog.getByRole('slider', { name: 'Moment' })
const play = dialog.getByRole('button', { name: 'Play your moment' })

/** The trailer GIF with its finale, of a checked video of two minutes that lies elsewhere. */
const openFinale = async (answers: Answers = {}) => {
  const wallet = fakeWallet()
  const screen = await openScreen({
    path: `/uploads/${idOf(2)}/media-jobs/new`,
    rows: {
      uploads: [fakeUploadRow({ uploadRequestId: idOf(2), state: { kind: 'paused' } })],
      wallets: [wallets.toRow(wallet, NOW)],
    },
    answers: {
      listWallets: { wallets: [wallet] },
      getUploadMoments: { uploadMoments: fakeUploadMoments() },
      getMomentPictures: refused(404, 'media-jobs/thumbnail-not-found'),
      ...answers,
    },
  })
  await page.getByRole('button', { name: 'Short Trailer GIF', exact: true }).click()
  await dialog.getByText('Include the finale').click()
  return screen
}

beforeEach(async () => {
  await page.viewport(360, 740)
  onTestFinished(() => page.viewport(1280, 800))
})

test('REC-12 OPT-07 REC-21 without the video on this device the moment is chosen by pictures of the server, by keyboard alone', async () => {
  const screen = await openFinale()
  await expect.element(dialog.getByText(/^The video itself is not on this device\./)).toBeVisible()
  expect(places.getByRole('button').elements()).toHaveLength(60)
  await userEvent.tab()
  expect(document.activeElement?.textContent).toBe('0:01')
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{Enter}')
  await expect.element(dialog.getByText('Your video at 0:05')).toBeVisible()
  await expect.element(places.getByRole('button').nth(2)).toHaveAttribute('aria-pressed', 'true')
  await userEvent.tab()
  await expect.element(slider).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.element(dialog.getByText('The nearest picture, at 0:07')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect
    .poll(async () => (await screen.db.selections.get(idOf(2)))?.requests)
    .toEqual([
      {
        mediaJobTaskPresetSlug: 'short-trailer-gif',
        payload: { includeKumshot: true, momentMs: 6000 },
      },
    ])
  await expect.element(page.getByText('Finale at 0:06')).toBeVisible()
})

test('REC-21 OPT-07 the two seconds that the GIF shows play from the video of the server, where that has them', async () => {
  const stretches = [{ startMs: 90_000, endMs: 96_000, atMs: 2000 }]
  const video = { url: '/landing/teaser-15s.mp4', stretches }
  await openFinale({ getUploadMoments: { uploadMoments: fakeUploadMoments({ video }) } })
  await places.getByRole('button', { name: '0:11', exact: true }).click()
  await expect.element(dialog.getByText('Your video at 0:11')).toBeVisible()
  await expect.element(play).not.toBeInTheDocument()
  await places.getByRole('button', { name: '1:33', exact: true }).click()
  await play.click()
  // From 0.8 s before the chosen place, which is 92.9 s into the video.
  const playing = () => dialog.element().querySelector('video')
  const atS = () => playing()?.currentTime ?? 0
  await expect.poll(() => atS() >= 4.05 && atS() < 6.2).toBe(true)
  await dialog.getByRole('button', { name: 'Stop your moment' }).click()
  await expect.poll(playing).toBeNull()
})

test('REC-21 OPT-07 while the server looks for pictures it says so, and the time can be set', async () => {
  const found = fakeUploadMoments({ state: 'searching', moments: [], pictures: null })
  await openFinale({ getUploadMoments: { uploadMoments: found } })
  await expect
    .element(dialog.getByText(/^The server is taking pictures of your video\./))
    .toBeVisible()
  slider.element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(slider).toHaveAttribute('aria-valuetext', '0:01')
})

test('REC-21 OPT-07 pictures that do not come are said and asked for again', async () => {
  const screen = await openFinale({ getUploadMoments: unreachable })
  const again = dialog.getByRole('button', { name: 'Try Again' })
  await expect.element(again).toBeVisible()
  screen.server.answer({ getUploadMoments: { uploadMoments: fakeUploadMoments() } })
  await again.click()
  await expect.element(places).toBeVisible()
})
