import { expect, type Page } from '@playwright/test'

/**
 * The look of a video so small that the check has something to say, and the page waits for an
 * answer instead of uploading at once.
 */
export const SMALL = { size: '320x180' } as const
const ONLY_SMALL = /This video is only 320\s?×\s?180/

/** Chooses a video by the file button. */
export function chooseVideo(page: Page, path: string): Promise<void> {
  return page.getByLabel('Choose a video').setInputFiles(path)
}

/** The card with what was found of a small video, and its picture: decoded, not only there. */
export async function expectSmallVerdict(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await expect(page.getByText(ONLY_SMALL).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upload anyway' })).toBeVisible()
  const poster = page.getByRole('img', { name: 'First frame of the video' })
  await expect(poster).toBeVisible()
  await expect
    .poll(() =>
      poster.evaluate((image) =>
        image instanceof HTMLImageElement && image.complete ? image.naturalWidth : 0,
      ),
    )
    .toBe(320)
}
