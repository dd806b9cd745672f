/**
 * What making an edit costs: processor time beside that of a command written by hand, and the
 * memory of its largest ffmpeg.
 */
import { join } from 'node:path'
import { projectRoot } from '#server/project-root.ts'
import type { Figure } from './figure.ts'
import { plain } from '#tests/setup/picture-sources.ts'
import { costOfCommand, renderEdit, serverFfmpeg } from '#tests/setup/render-edit.ts'

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
    ['1920x1080', 20, 'dynamic-watermark', TEXT],
    ['3840x2160', 12, 'dynamic-watermark', TEXT],
    ['3840x2160', 12, 'teaser-15s', undefined],
  ] as const) {
    const path = await plain(size, seconds)
    const edit = await renderEdit(ffmpeg, slug, payload, path)
    const value = edit.peakBytes / 1e6
    yield { edit: slug, of: `memory, ${size}`, value, unit: 'MB', bound: { atMost: 700 } }
    yield { edit: slug, of: `processor time, ${size}`, value: edit.cpuSeconds, unit: 's' }
    const byHand = size === '1920x1080' ? BY_HAND[slug]?.(path) : undefined
    if (byHand === undefined) continue
    const { cpuSeconds } = await costOfCommand([...byHand, ...DELIVERED], 'by-hand.mp4')
    yield {
      edit: slug,
      of: 'processor time by that of one command written by hand',
      value: edit.cpuSeconds / cpuSeconds,
      unit: '',
      bound: { atMost: 1.1 },
    }
  }
}

const PIECES = 6
const FADE_S = 0.4

const DELIVERED =
  '-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p -c:a aac -b:a 160k -f mp4'.split(' ')
const LEVEL = 'loudnorm=I=-16:TP=-1.5:LRA=11,aformat=sample_rates=48000:channel_layouts=stereo'

/** The same work as one command, up to its encoders. */
const BY_HAND: Readonly<Record<string, (path: string) => readonly string[]>> = {
  'teaser-15s': fadedByHand,
  'tube-cut': joinedByHand,
  'dynamic-watermark': (path) => [
    '-i',
    path,
    '-vf',
    `drawtext=fontfile=${FONT}:text=@name:fontsize=34:fontcolor=white@0.78:borderw=2:x=40:y=40`,
  ],
}
const FONT = join(projectRoot, 'recipes/fonts/watermark.ttf')

/** Six passages of the same length, faded into each other in one graph. */
function fadedByHand(path: string): readonly string[] {
  const lengthS = (15 + (PIECES - 1) * FADE_S) / PIECES
  const all = Array.from({ length: PIECES }, (_, index) => index)
  const graph = all.map((index) => `[${index}:v]settb=AVTB[p${index}]`)
  for (const index of all.slice(1))
    graph.push(
      `[${index === 1 ? 'p0' : `x${index - 1}`}][p${index}]xfade=duration=${FADE_S}:offset=${(index * (lengthS - FADE_S)).toFixed(3)}[x${index}]`,
      `[${index === 1 ? '0:a' : `s${index - 1}`}][${index}:a]acrossfade=d=${FADE_S}[s${index}]`,
    )
  graph.push(`[s${PIECES - 1}]${LEVEL}[s]`)
  return [
    ...all.flatMap((index) => passage(path, index * 14, lengthS)),
    '-filter_complex',
    graph.join(';'),
    '-map',
    `[x${PIECES - 1}]`,
    '-map',
    '[s]',
  ]
}

/** Three passages with hard cuts between them. */
function joinedByHand(path: string): readonly string[] {
  const graph = `[0:v][0:a][1:v][1:a][2:v][2:a]concat=n=3:v=1:a=1[v][j];[j]${LEVEL}[a]`
  return [
    ...[5, 35, 65].flatMap((atS) => passage(path, atS, 20 / 3)),
    '-filter_complex',
    graph,
    '-map',
    '[v]',
    '-map',
    '[a]',
  ]
}

function passage(path: string, atS: number, lengthS: number): readonly string[] {
  return ['-ss', String(atS), '-t', lengthS.toFixed(3), '-i', path]
}
