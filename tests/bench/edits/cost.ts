/**
 * What making an edit costs: processor time beside that of a command written by hand, and the
 * memory of its largest ffmpeg.
 */
import type { Figure } from './figure.ts'
import { plain } from './picture-sources.ts'
import { costOfCommand, renderEdit, serverFfmpeg } from './render-edit.ts'

const TEXT = { text: '@name' }
const CUT = { targetDuration: 20_000, introMediaAssetIds: [], outroMediaAssetIds: [] }

/** The section `cost` of `npm run bench -- edits`. */
export async function* cost(): AsyncIterable<Figure> {
  const ffmpeg = await serverFfmpeg()
  for (const [size, seconds, slug, payload] of [
    ['1920x1080', 90, 'teaser-15s', undefined],
    ['1920x1080', 90, 'teaser-60s', undefined],
    ['1920x1080', 90, 'tube-cut', CUT],
    ['1920x1080', 90, 'still-pack', undefined],
    ['1920x1080', 90, 'social-media-gif-pack', undefined],
    ['3840x2160', 12, 'dynamic-watermark', TEXT],
    ['3840x2160', 12, 'teaser-15s', undefined],
  ] as const) {
    const path = await plain(size, seconds)
    const edit = await renderEdit(ffmpeg, slug, payload, path)
    const value = edit.peakBytes / 1e6
    yield { edit: slug, of: `memory, ${size}`, value, unit: 'MB', bound: { atMost: 700 } }
    yield { edit: slug, of: `processor time, ${size}`, value: edit.cpuSeconds, unit: 's' }
    if (slug === 'teaser-15s' && seconds === 90) yield await againstHand(edit.cpuSeconds, path)
  }
}

const PIECES = 6
const FADE_S = 0.4

/**
 * The same work as one command: six passages of the same length, faded
 * into each other in one graph.
 */
async function againstHand(cpuSeconds: number, path: string): Promise<Figure> {
  const lengthS = (15 + (PIECES - 1) * FADE_S) / PIECES
  const all = Array.from({ length: PIECES }, (_, index) => index)
  const graph = all.map((index) => `[${index}:v]settb=AVTB[p${index}]`)
  for (const index of all.slice(1))
    graph.push(
      `[${index === 1 ? 'p0' : `x${index - 1}`}][p${index}]xfade=duration=${FADE_S}:offset=${(index * (lengthS - FADE_S)).toFixed(3)}[x${index}]`,
      `[${index === 1 ? '0:a' : `s${index - 1}`}][${index}:a]acrossfade=d=${FADE_S}[s${index}]`,
    )
  graph.push(
    `[s${PIECES - 1}]loudnorm=I=-16:TP=-1.5:LRA=11,aformat=sample_rates=48000:channel_layouts=stereo[s]`,
  )
  const { cpuSeconds: byHand } = await costOfCommand(
    [
      ...all.flatMap((index) => ['-ss', String(index * 14), '-t', lengthS.toFixed(3), '-i', path]),
      '-filter_complex',
      graph.join(';'),
      '-map',
      `[x${PIECES - 1}]`,
      '-map',
      '[s]',
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '20',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      '-b:a',
      '160k',
      '-f',
      'mp4',
    ],
    'by-hand.mp4',
  )
  return {
    edit: 'teaser-15s',
    of: 'processor time by that of one command written by hand',
    value: cpuSeconds / byHand,
    unit: '',
    bound: { atMost: 1.1 },
  }
}
