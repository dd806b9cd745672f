/**
 * How surely a held video is recognised: the agreement of copies of it, and of other videos, the
 * nearest of which show the same room before the same camera.
 */
import { existsSync, mkdtempSync, renameSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { certaintyOf, compareVideos, isSameVideo, type Agreement } from '#recipes/recognise.ts'
import { keepPictures, takeSpans } from '#server/media/picture-print.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { ffmpeg as plainFfmpeg } from '#tests/setup/render-plan.ts'
import { corpusVideo } from './corpus.ts'
import type { Figure } from './figure.ts'
import { probed, serverFfmpeg } from '#tests/setup/render-edit.ts'

const folder = join(tmpdir(), 'onecut-bench-recognise-1')
const signal = new AbortController().signal
const X264 = '-c:v libx264 -preset superfast -pix_fmt yuv420p'.split(' ')

/** What is made of a video, as arguments before and after it. */
const COPIES: Readonly<Record<string, readonly [before: string, after: string]>> = {
  're-encoded at 240p and 15 pictures a second': ['', '-vf fps=15,scale=426:240 -crf 34'],
  'cut out: 90 s': ['-ss 37.3 -t 90', '-crf 28'],
  'cut out: 15 s': ['-ss 61.7 -t 15', '-crf 28'],
  'brighter, with more contrast': ['', '-vf eq=brightness=0.08:contrast=1.2 -crf 28'],
  'squeezed to 4:3, with a box in a corner': [
    '',
    '-vf scale=320:240,drawbox=x=10:y=10:w=90:h=30:color=white:t=fill -crf 28',
  ],
}
/** What is known not to be recognised. */
const CHANGED: typeof COPIES = {
  mirrored: ['', '-vf hflip -crf 28'],
  'cropped by a fifth': ['', '-vf crop=iw*0.8:ih*0.8 -crf 28'],
  '10 % faster': ['', '-vf setpts=PTS/1.1 -crf 28'],
}

/** The section `recognise` of `npm run bench -- edits`. */
export async function* recognise(): AsyncIterable<Figure> {
  await mkdir(folder, { recursive: true })
  const ffmpeg = await serverFfmpeg()
  const films = await Promise.all(
    [21, 22, 23].map(async (seed) => {
      const order = { name: `film-${seed}`, seconds: 180, seed, encoding: [] }
      return (await corpusVideo(order)).plain
    }),
  )
  const rooms = [await room('room-1', films, 0.9), await room('room-2', films, 1.7)]
  const cameras = [await twoRooms('cut-1', films, 0.7), await twoRooms('cut-2', films, 1.3)]
  const originals = [...films, ...rooms, ...cameras]
  const known = await Promise.all(
    originals.map(async (path) => ({
      path,
      print: await keepPictures(ffmpeg, await probed(ffmpeg, path), sitter(path)),
    })),
  )
  const compare = async (print: Uint8Array, path: string): Promise<Agreement | null> =>
    await compareVideos(print, await spansOf(ffmpeg, path), setImmediate)
  for (const [what, all] of [
    ['recognised', COPIES],
    ['not known', CHANGED],
  ] as const)
    for (const [name, [before, after]] of Object.entries(all)) {
      const found: (Agreement | null)[] = []
      for (const [index, { path, print }] of known.entries())
        found.push(
          await compare(print, await copyOf(path, `${what}-${name}-${index}`, before, after)),
        )
      const share = found.filter((one) => one !== null && isSameVideo(one)).length / found.length
      yield {
        edit: 'recognition',
        of: `${what}, ${name}`,
        value: share,
        unit: '',
        ...(what === 'recognised' ? { bound: { atLeast: 1 } } : {}),
      }
      yield {
        edit: 'recognition',
        of: `least agreement, ${name}`,
        value: Math.min(...found.map((one) => (one === null ? 0 : certaintyOf(one)))),
        unit: '',
      }
    }
  const others: Agreement[] = []
  for (const { path, print } of known)
    for (const other of originals) {
      if (other === path) continue
      const found = await compare(print, other)
      if (found !== null) others.push(found)
    }
  yield {
    edit: 'recognition',
    of: `other videos taken for the same, of ${others.length}`,
    value: others.filter(isSameVideo).length,
    unit: '',
    bound: { atMost: 0 },
  }
  yield {
    edit: 'recognition',
    of: 'highest agreement of other videos',
    value: Math.max(...others.map(certaintyOf)),
    unit: '',
  }
}

const sitter = (path: string) => ({
  path,
  folder: mkdtempSync(join(tmpdir(), 'onecut-bench-prints-')),
  signal,
})

async function spansOf(ffmpeg: Ffmpeg, path: string) {
  return await takeSpans(ffmpeg, await probed(ffmpeg, path), sitter(path))
}

async function copyOf(path: string, name: string, before: string, after: string) {
  return await made(`${name.replaceAll(/[^a-z0-9]+/gi, '-')}.mp4`, [
    ...words(before),
    '-i',
    path,
    ...X264,
    ...words(after),
    '-an',
  ])
}

/** Something that moves its own way before the ground of a scene. */
function stage(input: number, speed: number, label: string): string {
  const x = `x='W*0.35+W*0.3*sin(t*${speed})':y='H*0.3+H*0.25*sin(t*${speed * 1.7}+${speed})'`
  return `color=c=tan:s=70x110:r=25[p${label}];[${input}:v]trim=end_frame=1,loop=-1:1,setpts=N/25/TB[g${label}];[g${label}][p${label}]overlay=${x}:shortest=0,noise=alls=4:allf=t`
}

async function room(name: string, films: readonly string[], speed: number): Promise<string> {
  return await made(`${name}.mp4`, [
    '-ss',
    '100',
    '-i',
    films[0] ?? '',
    '-filter_complex',
    `${stage(0, speed, 'a')}[v]`,
    '-map',
    '[v]',
    '-t',
    '120',
    ...X264,
  ])
}

/** One cut in the middle between the same two cameras. */
async function twoRooms(name: string, films: readonly string[], speed: number): Promise<string> {
  const graph = [
    `${stage(0, speed, 'a')},trim=duration=60[a]`,
    `${stage(1, speed * 0.8, 'b')},trim=duration=60[b]`,
    '[a][b]concat=n=2[v]',
  ].join(';')
  const [first = '', second = ''] = films
  return await made(`${name}.mp4`, [
    '-ss',
    '100',
    '-i',
    first,
    '-ss',
    '100',
    '-i',
    second,
    '-filter_complex',
    graph,
    '-map',
    '[v]',
    '-t',
    '120',
    ...X264,
  ])
}

async function made(name: string, args: readonly string[]): Promise<string> {
  const path = join(folder, name)
  if (existsSync(path)) return path
  await plainFfmpeg([...args, `${path}.part.mp4`])
  renameSync(`${path}.part.mp4`, path)
  return path
}

function words(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ')
}
