import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signInContext } from '#tests/faults/upload-page.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makeClip } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'
import { expect, test } from './quiet.ts'
import { seedOrder } from './seed.ts'

// Nothing here begins offline; without a service worker the page loads less.
test.use({ serviceWorkers: 'block' })

let server: E2eServer
let folder: string

/** ffmpeg as it is, or one whose encoder fails; a tool in its confinement sees no other file. */
async function setEncoder(state: 'works' | 'fails'): Promise<void> {
  const failing = `case "$*" in *libx264*) echo 'Error while encoding' >&2; exit 1;; esac\n`
  const script = `#!/bin/sh\n${state === 'fails' ? failing : ''}exec ffmpeg "$@"\n`
  await writeFile(join(folder, 'ffmpeg'), script, { mode: 0o755 })
}

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-failed-'))
  await chmod(folder, 0o755)
  await setEncoder('works')
  server = await startE2eServer({
    FFMPEG_PATH: join(folder, 'ffmpeg'),
    FFPROBE_PATH: '/usr/bin/ffprobe',
  })
})
test.afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

test('JOB-10 REC-24 EDT-01 a failed edit says so, gives its tokens back, and can be tried again for free', async ({
  context,
  page,
}) => {
  const path = join(folder, 'garden scene.mp4')
  await makeClip(path, 20, { size: '160x90' })
  const person = await seedOrder(server, path, [{ mediaJobTaskPresetSlug: 'teaser-15s' }])
  await signInContext(context, person.client, 'direct')
  await setEncoder('fails')
  await page.goto(server.origin + person.path)
  await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
  await expect(page.getByText('Order is fully paid!')).toBeVisible()
  await expect(page.getByText('300 tokens returned to your wallet.')).toBeVisible({
    timeout: patience(90),
  })
  await setEncoder('works')
  await page.goto(`${server.origin}/edits`)
  await page.getByRole('button', { name: /^Show Edits of / }).click()
  await expect(page.getByText('Free of charge.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again: 15s Teaser' }).click()
  await expect(page.getByText('100% Processed').first()).toBeVisible({ timeout: patience(90) })
  await expect(page.getByRole('link', { name: 'Download 15s teaser' })).toBeVisible()
})
