import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { expect, test } from './quiet.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makeClip } from '#tests/setup/media.ts'
import { photograph } from './flow-helpers.ts'
import { beSignedIn } from './signed-in.ts'

const run = promisify(execFile)

/**
 * Files that cannot become edits: the page refuses each in words before it sends a byte, and
 * accepts the next choice.
 */
test.describe('files that cannot be used', () => {
  let server: E2eServer
  let folder: string

  test.beforeAll(async () => {
    server = await startE2eServer()
    folder = await mkdtemp(join(tmpdir(), 'onecut-bad-'))
    await makeClip(join(folder, 'good.mp4'), 5)
    await writeFile(join(folder, 'empty.mp4'), '')
    await writeFile(join(folder, 'text.mp4'), 'This was never a video.\n'.repeat(2000))
    await writeFile(join(folder, 'notes.txt'), 'Not a video either.')
    // The index of this file is at its end, so the first half has none.
    await makeClip(join(folder, 'index-last.mp4'), 5, {
      output: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    })
    const whole = await readFile(join(folder, 'index-last.mp4'))
    await writeFile(join(folder, 'truncated.mp4'), whole.subarray(0, Math.floor(whole.length / 2)))
    // A finished file without a single picture: nought seconds long.
    await run('ffmpeg', [
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=320x180:rate=25:duration=1',
      '-frames:v',
      '0',
      '-c:v',
      'libx264',
      join(folder, 'nothing.mp4'),
    ])
  })
  test.afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('UPL-03 refuses what is no usable video, says why, and takes the next file', async ({
    page,
  }) => {
    test.setTimeout(180_000)
    await beSignedIn(page, server)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT' || request.url().endsWith('/v2/upload-requests'))
        sent.push(request.url())
    })

    await refused(page, ['empty.mp4'], 'This file is empty.')
    await photograph(page, 'refused')
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await refusedAndBack(page, ['text.mp4'], 'This is not a video file.')
    await refusedAndBack(
      page,
      ['truncated.mp4'],
      'This recording is incomplete, so it cannot be played.',
    )
    await refusedAndBack(page, ['nothing.mp4'], /incomplete|no video|length of zero/)
    await drop(page, ['notes.txt'])
    await expect(page.getByText('Only video files are accepted').first()).toBeVisible()
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await drop(page, ['good.mp4', 'index-last.mp4'])
    await expect(page.getByText('Upload one video at a time').first()).toBeVisible()
    await page.getByRole('button', { name: 'Choose another file' }).click()
    expect(sent).toEqual([])

    await page.getByLabel('Choose a video').setInputFiles(join(folder, 'good.mp4'))
    const anyway = page.getByRole('button', { name: 'Upload anyway' })
    await expect(
      anyway.or(page.getByRole('heading', { name: 'Select formats to generate from your video.' })),
    ).toBeVisible({ timeout: 30_000 })
    if (await anyway.isVisible()) await anyway.click()
    await page.waitForURL(/\/media-jobs\/new$/)
  })

  async function refused(
    page: Page,
    names: readonly string[],
    words: string | RegExp,
  ): Promise<void> {
    await page.getByLabel('Choose a video').setInputFiles(names.map((name) => join(folder, name)))
    await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible({
      timeout: 60_000,
    })
  }

  async function refusedAndBack(
    page: Page,
    names: readonly string[],
    words: string | RegExp,
  ): Promise<void> {
    await refused(page, names, words)
    await expect(page.getByText(names[0] ?? '')).toBeVisible()
    await page.getByRole('button', { name: 'Choose another file' }).click()
  }

  /** Drops files on the window, as from the system's file manager. */
  async function drop(page: Page, names: readonly string[]): Promise<void> {
    const files = await Promise.all(
      names.map(async (name) => ({
        name,
        type: name.endsWith('.txt') ? 'text/plain' : 'video/mp4',
        base64: (await readFile(join(folder, name))).toString('base64'),
      })),
    )
    const transfer = await page.evaluateHandle(async (given) => {
      const data = new DataTransfer()
      for (const { name, type, base64 } of given)
        data.items.add(
          new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name, {
            type,
          }),
        )
      return data
    }, files)
    await page.dispatchEvent('#main', 'drop', { dataTransfer: transfer })
  }
})
