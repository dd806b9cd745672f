import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { projectRoot } from '#scripts/project-root.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { freePort } from '#tests/setup/free-port.ts'
import { makeClip } from '#tests/setup/media.ts'
import { fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { startSmtp, type TestSmtp } from '#tests/setup/smtp.ts'
import { uploadFile, type UploadRequest } from '#tests/setup/upload.ts'

const PROJECT = `onecut-image-${process.pid}`
const IMAGES = ['onecut', 'onecut-database']
const hasImages = IMAGES.every(
  (image) => spawnSync('podman', ['image', 'exists', image]).status === 0,
)

describe.skipIf(!hasImages)(
  'the images, built as docs/production.md says, and podman-compose',
  () => {
    let folder: string
    let smtp: TestSmtp
    let origin: string

    /** As a person in `container`; throws what the command says where it fails. */
    const run = (command: string, ...args: string[]): string => {
      const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
      if (status !== 0) throw new Error(`${command} ${args[0]}: ${stderr.slice(-2_000)}`)
      return stdout + stderr
    }
    const compose = (...args: string[]): string => run('podman-compose', '-p', PROJECT, ...args)
    const nameOf = (service: string): string => `${PROJECT}_${service}_1`
    const mails = async () =>
      await Promise.all(
        smtp.received.map(async (raw) => {
          const { to = [], text = '', subject = '' } = await PostalMime.parse(raw)
          return { to: to[0]?.address ?? '', text, subject }
        }),
      )

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'onecut-image-'))
      await cp(join(projectRoot, 'container'), folder, { recursive: true })
      smtp = await startSmtp(undefined, '0.0.0.0')
      const port = await freePort()
      origin = `http://localhost:${port}`
      const text = await readFile(join(folder, 'compose.yaml'), 'utf8')
      await writeFile(join(folder, 'compose.yaml'), text.replace('1:4400:', `1:${port}:`))
      const settings = {
        DATABASE_PASSWORD: crypto.randomUUID().replaceAll('-', ''),
        ONECUT_PUBLIC_ORIGIN: origin,
        ONECUT_ALLOW_TEST_PAYMENTS: '1',
        SMTP_URL: `smtp://host.containers.internal:${new URL(smtp.url).port}`,
        ONECUT_ALLOW_PLAIN_SMTP: '1',
        MAIL_FROM: 'hello@example.com',
      }
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
      await writeFile(join(folder, '.env'), lines.join(''))
      compose('up', '--detach')
      await untilReady()
    }, patience(180))
    afterAll(async () => {
      compose('down', '--volumes')
      await smtp.close()
      await rm(folder, { recursive: true, force: true })
    }, patience(120))

    const untilReady = async (): Promise<void> =>
      await vi.waitFor(
        async () => expect((await fetch(`${origin}/editors/ready`)).status).toBe(200),
        { timeout: patience(120), interval: 500 },
      )

    it('SCL-10 a person signs up, uploads a video, and downloads its edits', async () => {
      const { client } = await signUpAt({ origin, mails: untilMailed(mails) })
      const clip = join(folder, 'clip.mp4')
      await makeClip(clip, 4, { size: '320x180' })
      const { _id } = await uploadFile(client, clip)
      const state = async () =>
        (await client.get<{ uploadRequest: UploadRequest }>(`/v1/upload-requests/${_id}`)).body
          .uploadRequest.state
      await expect.poll(state, { timeout: patience(60) }).toBe('validated')
      // Fonts, programs of ours, and packages that no bundle has.
      const job = await requestEdits(client, _id, [
        { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '@me' } },
        { mediaJobTaskPresetSlug: 'denoised-full-scene' },
        { mediaJobTaskPresetSlug: 'voice-mask-full-scene' },
      ])
      await payFor(client, job._id)
      const tasks = async () => (await fetchJob(client, job._id)).tasks
      await expect
        .poll(async () => (await tasks()).map(({ status }) => status), { timeout: patience(120) })
        .toEqual(['succeeded', 'succeeded', 'succeeded'])
      for (const { outputs } of await tasks()) {
        const [file] = outputs
        if (file?.kind !== 'download-button') throw new Error('An edit has no download')
        const download = await client.get(file.downloadUrl)
        expect([download.status, download.bytes.length]).toEqual([200, file.sizeBytes])
      }
    })

    it('SCL-10 tools are confined by bubblewrap, all is healthy, and the operator is answered', () => {
      for (const service of ['api', 'worker'])
        expect(run('podman', 'logs', nameOf(service))).toContain('ffmpeg is confined by bubblewrap')
      for (const service of ['api', 'worker', 'database'])
        run('podman', 'healthcheck', 'run', nameOf(service))
      const operator = ['node', 'dist-server/operator.mjs', 'accounts']
      expect(run('podman', 'exec', nameOf('api'), ...operator)).toContain('@example.com')
      expect(run('podman', 'exec', nameOf('api'), 'id', '-u').trim()).toBe('1000')
    })

    it('SCL-10 what was there is there after all containers were made again', async () => {
      compose('down')
      compose('up', '--detach')
      await untilReady()
      const operator = ['node', 'dist-server/operator.mjs', 'accounts']
      expect(run('podman', 'exec', nameOf('api'), ...operator)).toContain('@example.com')
    })
  },
)

/** Mail is sent a moment after the call that asks for it. */
function untilMailed<T>(read: () => Promise<readonly T[]>): () => Promise<readonly T[]> {
  return async () => {
    await expect.poll(read, { timeout: patience(30) }).not.toEqual([])
    return await read()
  }
}
