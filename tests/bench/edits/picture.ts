/** Whether the picture of an edit is that of its source, whatever camera made it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { legibilityOf, likenessBeside } from '#tests/setup/watermark-figures.ts'
import type { Figure } from './figure.ts'
import { colourError, combedShare, rhythmOf, whiteOf } from '#tests/setup/picture-figures.ts'
import {
  grainy,
  hdr,
  interlaced,
  oddMatrix,
  onGrounds,
  plain,
  uneven,
} from '#tests/setup/picture-sources.ts'
import { renderEdit, serverFfmpeg } from '#tests/setup/render-edit.ts'

const TEXT = { text: '@name' }
/** No letter of it is higher than an x. */
const MARK = { text: 'someonesname' }
const CUT = { targetDuration: 20_000, introMediaAssetIds: [], outroMediaAssetIds: [] }

/** The section `picture` of `npm run bench -- edits`. */
export async function* picture(): AsyncIterable<Figure> {
  const ffmpeg = await serverFfmpeg()
  yield* fields(ffmpeg)
  yield* rhythm(ffmpeg)
  yield* whites(ffmpeg)
  yield* matrices(ffmpeg)
  yield* names(ffmpeg)
  yield* watermark(ffmpeg)
}

async function* fields(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  const source = await interlaced(40)
  for (const [slug, payload] of [
    ['teaser-15s', undefined],
    ['dynamic-watermark', TEXT],
  ] as const) {
    const edit = await renderEdit(ffmpeg, slug, payload, source)
    const value = await combedShare(edit.file(`${slug}.mp4`))
    yield {
      edit: slug,
      of: 'combed pictures, PAL source',
      value,
      unit: '',
      bound: { atMost: 0.01 },
    }
  }
}

async function* rhythm(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  const source = await uneven(40)
  for (const [slug, payload] of [
    ['teaser-15s', undefined],
    ['tube-cut', CUT],
  ] as const) {
    const edit = await renderEdit(ffmpeg, slug, payload, source)
    const { skipped, repeated } = await rhythmOf(edit.file(`${slug}.mp4`))
    for (const [of, value] of [
      ['pictures skipped, 30 a second with gaps', skipped],
      ['pictures repeated without a gap in the source', repeated],
    ] as const)
      yield {
        edit: slug,
        of,
        value,
        unit: '',
        bound: { atMost: 0.01 },
      }
  }
}

async function* whites(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  for (const curve of ['pq', 'hlg'] as const) {
    const edit = await renderEdit(ffmpeg, 'teaser-15s', undefined, await hdr(curve))
    const { white, skinError } = await whiteOf(edit.file('teaser-15s.mp4'))
    const of = `of ${curve.toUpperCase()}, white of 203 nits`
    yield { edit: 'teaser-15s', of, value: white, unit: 'of 255', bound: { atLeast: 235 } }
    yield {
      edit: 'teaser-15s',
      of: `error of skin of ${curve.toUpperCase()}`,
      value: skinError,
      unit: '',
      bound: { atMost: 0.1 },
    }
  }
}

async function* matrices(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  for (const [size, tag] of [
    ['1280x720', 'BT.601'],
    ['640x360', 'BT.709'],
  ] as const)
    for (const [slug, name, most] of [
      ['teaser-15s', 'teaser-15s.mp4', 6],
      ['still-pack', 'still-01.jpg', 6],
      ['social-media-gif-pack', 'gif-wide.gif', 12],
      ['social-media-gif-pack', 'loop.mp4', 6],
    ] as const) {
      const edit = await renderEdit(ffmpeg, slug, undefined, await oddMatrix(size, 16))
      const value = await colourError(edit.file(name))
      yield {
        edit: slug,
        of: `largest error of a colour, ${name} of ${size} in ${tag}`,
        value,
        unit: 'of 255',
        bound: { atMost: most },
      }
    }
}

async function* names(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  const source = await plain('640x360', 40)
  for (const [slug, payload] of [
    ['teaser-15s', undefined],
    ['tube-cut', CUT],
    ['dynamic-watermark', TEXT],
    ['voice-mask-full-scene', undefined],
    ['social-media-gif-pack', undefined],
    ['still-pack', undefined],
  ] as const) {
    const edit = await renderEdit(ffmpeg, slug, payload, source)
    const files = await Promise.all(
      edit.plan.outputs.map(({ name }) => readFile(join(edit.folder, name), 'latin1')),
    )
    const value = files.filter((bytes) => /x264|lavc|lavf|ffmpeg/i.test(bytes)).length
    yield { edit: slug, of: 'files that name their encoder', value, unit: '', bound: { atMost: 0 } }
  }
}

async function* watermark(ffmpeg: Ffmpeg): AsyncIterable<Figure> {
  const edit = 'dynamic-watermark'
  const source = await grainy()
  const marked = (await renderEdit(ffmpeg, edit, TEXT, source)).file('dynamic-watermark.mp4')
  yield {
    edit,
    of: 'SSIM beside the text, 720p with grain',
    value: await likenessBeside(marked, source),
    unit: '',
    bound: { atLeast: 0.98 },
  }
  for (const size of ['320x180', '1280x720', '1080x1920']) {
    const made = await renderEdit(ffmpeg, edit, MARK, await onGrounds(size))
    const shown = [...(await legibilityOf(made.file('dynamic-watermark.mp4'))).values()]
    yield {
      edit,
      of: `letters that can be read on a phone, least of five grounds, ${size}`,
      value: Math.min(...shown.map(({ readable }) => readable)),
      unit: '',
      bound: { atLeast: 0.9 },
    }
    yield {
      edit,
      of: `height of an x on a phone, least of five grounds, ${size}`,
      value: Math.min(...shown.map(({ heightPx }) => heightPx)),
      unit: 'px',
      bound: { atLeast: 6 },
    }
  }
}
