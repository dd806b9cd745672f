import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ffmpeg } from '#tests/setup/render-plan.ts'
import { createCanvas, paintScene, type SceneLook } from './corpus-paint.ts'
import { speech } from './corpus-sound.ts'
import { randomFrom, type Scene, type SceneKind } from './scene.ts'
import { WIDTH, HEIGHT, writeTimeCode } from './time-code.ts'

/** A generated video: what it shows is known for every frame. */
export interface CorpusVideo {
  /** Without anything that could help a search. */
  readonly plain: string
  /** The same pictures, each with its number in a bar code at its lower edge. */
  readonly coded: string
  readonly scenes: readonly Scene[]
  readonly durationMs: number
}

/** How a video of the corpus is made. */
export interface CorpusOrder {
  readonly name: string
  readonly seconds: number
  readonly seed: number
  /** Further arguments of the encoder: where its key frames lie. */
  readonly encoding: readonly string[]
}

export const CORPUS_RATE = 25
const SOUND_RATE = 16_000
/** Raised when the pictures change: older files are made again. */
const VERSION = 4
const benchFolder = join(tmpdir(), `onecut-bench-edits-${VERSION}`)

/** Makes the video, or finds the one of an earlier run in the folder. */
export async function corpusVideo(order: CorpusOrder, folder = benchFolder): Promise<CorpusVideo> {
  const scenes = scenesOf(order)
  const video: CorpusVideo = {
    plain: join(folder, `${order.name}.mp4`),
    coded: join(folder, `${order.name}-coded.mp4`),
    scenes,
    durationMs: order.seconds * 1000,
  }
  if (!(await exists(video.coded))) await make(order, video, folder)
  return video
}

/** The scene that is shown at a time of the source. */
export function sceneAt(video: CorpusVideo, atMs: number): Scene {
  const found = video.scenes.find(({ startMs, endMs }) => atMs >= startMs && atMs < endMs)
  const last = video.scenes.at(-1)
  if (last === undefined) throw new Error('A corpus without scenes')
  return found ?? last
}

/** 42 % of the time is lively, as in the sources that the figures of the rows were set for. */
const SHARES: readonly (readonly [SceneKind, number])[] = [
  ['lively', 0.42],
  ['static', 0.16],
  ['title', 0.1],
  ['black', 0.08],
  ['dim', 0.08],
  ['blurred', 0.08],
  ['loud', 0.08],
]

function scenesOf({ seconds, seed }: CorpusOrder): readonly Scene[] {
  const random = randomFrom(seed)
  const scenes: Scene[] = []
  const frames = seconds * CORPUS_RATE
  let at = 0
  while (at < frames) {
    const length = Math.round((3 + random() * 11) * CORPUS_RATE)
    const end = frames - at - length < 3 * CORPUS_RATE ? frames : at + length
    const drawn = at === 0 || end === frames ? 'title' : draw(random())
    // One scene in ten shows a place again, but never that of the scene before it.
    const earlier = scenes.slice(0, -1).filter(({ kind }) => kind === drawn)
    const repeated = random() < 0.1 ? earlier[Math.floor(random() * earlier.length)] : undefined
    scenes.push({
      kind: drawn,
      startMs: (at / CORPUS_RATE) * 1000,
      endMs: (end / CORPUS_RATE) * 1000,
      look: repeated?.look ?? seed * 1000 + scenes.length,
    })
    at = end
  }
  return scenes
}

function draw(at: number): SceneKind {
  let sum = 0
  for (const [kind, share] of SHARES) {
    sum += share
    if (at < sum) return kind
  }
  return 'static'
}

async function make(order: CorpusOrder, video: CorpusVideo, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const sound = join(folder, `${order.name}.pcm`)
  await writeFile(sound, speech(video.scenes, order.seconds, SOUND_RATE))
  const plain = encoder(order, sound, video.plain)
  const coded = encoder(order, sound, video.coded)
  const canvas = createCanvas()
  const looks = new Map<number, SceneLook>()
  for (let frame = 0; frame < order.seconds * CORPUS_RATE; frame += 1) {
    const atMs = (frame / CORPUS_RATE) * 1000
    const scene = sceneAt(video, atMs)
    paintScene(canvas, scene, frame, (atMs - scene.startMs) / 1000, looks)
    await plain.write(Buffer.from(canvas.bytes))
    const numbered = Buffer.from(canvas.bytes)
    writeTimeCode(numbered, frame)
    await coded.write(numbered)
  }
  await plain.end()
  await coded.end()
}

function encoder(order: CorpusOrder, sound: string, path: string) {
  const part = `${path}.part`
  const child = spawn(
    'ffmpeg',
    [
      ...`-nostdin -v error -y -f rawvideo -pix_fmt yuv420p -s ${WIDTH}x${HEIGHT}`.split(' '),
      ...`-r ${CORPUS_RATE} -i pipe:0 -f s16le -ar ${SOUND_RATE} -ac 1 -i`.split(' '),
      sound,
      ...'-c:v libx264 -preset superfast -crf 25'.split(' '),
      ...order.encoding,
      ...'-c:a aac -b:a 64k -movflags +faststart -f mp4'.split(' '),
      part,
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  )
  const closed = once(child, 'close')
  return {
    write: async (bytes: Buffer): Promise<void> => {
      if (!child.stdin.write(bytes)) await once(child.stdin, 'drain')
    },
    end: async (): Promise<void> => {
      child.stdin.end()
      const [code] = await closed
      if (code !== 0) throw new Error(`ffmpeg ended with ${String(code)}`)
      await rename(part, path)
    },
  }
}

/** Two hours of 1080p at 8 Mbit/s: a minute of a corpus video, again and again. 7 GB. */
export async function twoHours(from: CorpusVideo): Promise<string> {
  const minute = join(benchFolder, 'minute-1080p.mp4')
  const path = join(benchFolder, 'two-hours-1080p.mp4')
  if (!(await exists(minute))) {
    const larger = 'scale=1920:1080:flags=bicubic,noise=alls=6:allf=t,fps=30'
    const encoding = '-c:v libx264 -preset superfast -b:v 8M -maxrate 10M -bufsize 16M -c:a copy'
    await ffmpeg([
      '-ss',
      '60',
      '-t',
      '60',
      '-i',
      from.plain,
      '-vf',
      larger,
      ...encoding.split(' '),
      minute,
    ])
  }
  await ffmpeg(['-stream_loop', '119', '-i', minute, '-c', 'copy', path])
  return path
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}
