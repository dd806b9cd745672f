import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { streamsOf } from '#tests/integration/recipes/measure.ts'
import { plain } from '#tests/setup/picture-sources.ts'
import { renderEdit, serverFfmpeg } from '#tests/setup/render-edit.ts'
import type { Figure } from './figure.ts'
import { brightness, rampSource, RAMP } from './trailer-sources.ts'

const NO_ENDS = { introMediaAssetIds: [], outroMediaAssetIds: [] }

/** Whether edits are as long as was ordered, and show what was ordered. */
export async function* lengths(): AsyncIterable<Figure> {
  const ffmpeg = await serverFfmpeg()
  const source = await plain('640x360', 90)
  for (const [slug, payload, seconds] of [
    ['teaser-15s', undefined, 15],
    ['teaser-60s', undefined, 60],
    ['tube-cut', { targetDuration: 25_000, ...NO_ENDS }, 25],
  ] as const) {
    const made = await renderEdit(ffmpeg, slug, payload, source)
    const { video } = await streamsOf(made.file(`${slug}.mp4`))
    const value = Math.abs(Number(video?.duration) - seconds) * 30
    yield { edit: slug, of: `off ${seconds} s`, value, unit: 'frames', bound: { atMost: 1 } }
  }
  yield* samples(ffmpeg)
}

/** Twelve moments of two seconds, of which the first and the last minute are left out. */
async function* samples(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  const edit = 'uniform-sampling'
  const [count, eachS, leftOutS] = [12, 2, 60]
  const payload = {
    maximumDuration: count * eachS * 1000,
    segmentCount: count,
    offsetStartMs: leftOutS * 1000,
    offsetEndMs: leftOutS * 1000,
    ...NO_ENDS,
  }
  const made = await renderEdit(ffmpeg, edit, payload, await rampSource())
  const bright = await brightness(made.file('uniform-sampling.mp4'))
  const rate = bright.length / (count * eachS)
  const strideS = (RAMP.seconds - 2 * leftOutS) / count
  const off = Array.from({ length: count }, (_, index) => {
    const shownS = RAMP.secondOf(bright[Math.round((index * eachS + eachS / 2) * rate)] ?? NaN)
    return Math.abs(shownS - leftOutS - (index + 0.5) * strideS)
  })
  yield {
    edit,
    of: `farthest middle of ${count} moments from the middle of its stretch`,
    value: Math.max(...off),
    unit: 's',
    // One step of brightness is 1.4 s.
    bound: { atMost: 2 },
  }
  const value = Math.abs(bright.length - count * eachS * 25)
  yield { edit, of: `off ${count * eachS} s`, value, unit: 'frames', bound: { atMost: 1 } }
}
