import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {} from '#tests/fixtures/device-page/main.ts'
import { corpusFile } from '#tests/fixtures/media-corpus.ts'
import { bytesReadBy, pageMemoryOf } from '#tests/setup/browser-processes.ts'
import { openDevicePage, type DevicePage } from '#tests/setup/device-page.ts'

/** Three rounds in the normal run; PROBE_JOBS=500 for all. */
const JOBS = Number(process.env['PROBE_JOBS'] ?? 27)
/** Good and bad by turns, both readers; every third fails. */
const ROUND = [
  'plain.mp4',
  'mpeg4.avi',
  'noise.mp4',
  'stream.ts',
  'windows.wmv',
  'no-index.mp4',
  'hevc.mp4',
  'vp9.webm',
  'text.mp4',
] as const
const FAILS: ReadonlySet<string> = new Set(['noise.mp4', 'no-index.mp4', 'text.mp4'])
/** The garbage collector's freedom; a job that leaked its engine would leave 40 MB each time. */
const FLAT_BYTES = 96 * 1024 ** 2
/** Reads of a file are 64 KiB at the least; the browser writes and reads a little for itself. */
const STILL_BYTES = 60_000

let device: DevicePage
const thrown: string[] = []
beforeAll(async () => {
  device = await openDevicePage()
  device.page.on('pageerror', (error) => thrown.push(error.message))
  device.page.on('crash', () => thrown.push('the page crashed'))
})
afterAll(async () => {
  await device.close()
})

const choose = async (name: string): Promise<void> =>
  await device.page.setInputFiles('#file', await corpusFile(name))

it(`does ${JOBS} jobs in a row, every third failing: each is answered rightly and memory stays flat`, async () => {
  let afterWarmUp = 0
  for (let index = 0; index < JOBS; index += 1) {
    const name = ROUND[index % ROUND.length] ?? 'plain.mp4'
    await choose(name)
    // Pictures every other round: in ffmpeg each of them is a run of its own.
    const isPictures = Math.floor(index / ROUND.length) % 2 === 1 && !FAILS.has(name)
    const result = isPictures
      ? await device.page.evaluate(() => window.device.filmstrip())
      : await device.page.evaluate(() => window.device.probe())
    const said = 'error' in result ? result.error.code : 'ok'
    expect(
      FAILS.has(name) ? ['probe/not-media', 'probe/incomplete'] : ['ok'],
      `${name}, job ${index}`,
    ).toContain(said)
    if (index === 2 * ROUND.length) afterWarmUp = await pageMemoryOf(device.browser)
  }
  expect(thrown).toEqual([])
  expect((await pageMemoryOf(device.browser)) - afterWarmUp).toBeLessThan(FLAT_BYTES)
})

describe('a call that is called off', () => {
  const STATES = [
    ['probe', 'beyond-4-gib.mp4', 0],
    ['probe', 'mpeg4.avi', 0],
    ['probe', 'mpeg4.avi', 60],
    ['poster', 'hevc.mp4', 100],
    ['deep-check', 'matroska.mkv', 30],
    ['deep-check', 'huge.mp4', 200],
    ['deep-check', 'windows.wmv', 200],
    ['queued', 'huge.mp4', 0],
    ['queued', 'windows.wmv', 100],
  ] as const

  it.each(STATES)(
    '%s of %s after %i ms answers that it was cancelled, or had ended',
    async (kind, name, afterMs) => {
      await choose(name)
      const { said } = await device.page.evaluate(
        (call) => window.device.callOff(call.kind, call.afterMs),
        { kind, afterMs },
      )
      // How soon it answers is measured by `npm run bench -- probe`.
      expect(['probe/cancelled', 'done']).toContain(said)
    },
  )

  it('reads nothing more', async () => {
    await choose('huge.mp4')
    await device.page.evaluate(() => window.device.callOff('deep-check', 100))
    await expect
      .poll(
        async () => {
          const before = await bytesReadBy(device.browser)
          await device.page.evaluate(
            () =>
              new Promise((resolve) => {
                setTimeout(resolve, 200)
              }),
          )
          return (await bytesReadBy(device.browser)) - before
        },
        { timeout: 2_000, interval: 50 },
      )
      .toBeLessThan(STILL_BYTES)
  })

  it('does not hold up the next one', async () => {
    await choose('windows.wmv')
    await device.page.evaluate(() => window.device.callOff('queued', 50))
    expect(await device.page.evaluate(() => window.device.check())).toMatchObject({ ok: true })
  })
})
