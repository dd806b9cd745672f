import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas, paintScene, type SceneLook } from '#tests/bench/edits/corpus-paint.ts'
import { randomFrom, type Scene } from '#tests/bench/edits/scene.ts'
import { photographs } from '#tests/fixtures/photographs.ts'
import { rawPictures } from './raw-pictures.ts'
import { ffmpeg } from './render-plan.ts'

/** Size and rate of the films. */
export const [WIDTH, HEIGHT, RATE] = [320, 180, 25] as const

/** A face in pixels of the film. */
export interface FaceInFilm {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A shot of a photograph that a camera passes over, or of a place without people. */
type FilmShot =
  | { readonly startMs: number; readonly endMs: number; readonly pan: Pan }
  | { readonly startMs: number; readonly endMs: number; readonly scene: Scene }

interface Pan {
  readonly photograph: number
  readonly scale: number
  /** Left and top of what is seen, in pixels of the scaled photograph; and pixels a second. */
  readonly left: number
  readonly top: number
  readonly speed: number
}

/** Shots of people for about this share of its time, among places and titles. */
export interface PeopleFilm {
  readonly durationMs: number
  readonly shots: readonly FilmShot[]
}

/** @param share of the time with a face, about */
export function peopleFilm(seed: number, seconds: number, share: number): PeopleFilm {
  const random = randomFrom(seed)
  const shots: FilmShot[] = []
  let [atMs, peopleMs] = [0, 0]
  while (atMs < seconds * 1000) {
    const lengthMs = Math.min(
      Math.round(2.5 + random() * 4) * 1000,
      Math.max(1000, seconds * 1000 - atMs),
    )
    const [startMs, endMs] = [atMs, Math.min(seconds * 1000, atMs + lengthMs)]
    const isFirst = shots.length === 0
    if (!isFirst && peopleMs < share * (atMs + lengthMs / 2)) {
      shots.push({ startMs, endMs, pan: panOf(random, (endMs - startMs) / 1000) })
      peopleMs += endMs - startMs
    } else {
      const kinds = isFirst ? (['title'] as const) : (['lively', 'lively', 'static'] as const)
      const kind = kinds[Math.floor(random() * kinds.length)] ?? 'lively'
      const look = seed * 100 + shots.length
      shots.push({ startMs, endMs, scene: { kind, startMs, endMs, look } })
    }
    atMs = endMs
  }
  return { durationMs: seconds * 1000, shots }
}

/** A face of a photograph, a fifth to two fifths as high as the film, somewhere in the picture. */
function panOf(random: () => number, seconds: number): Pan {
  const photograph = Math.floor(random() * photographs.length)
  const { width, height, faces } = photographs[photograph] ?? { width: 0, height: 0, faces: [] }
  const [x, y, w, h] = faces[Math.floor(random() * faces.length)] ?? [0, 0, 1, 1]
  const least = Math.max(WIDTH / width, HEIGHT / height) * 1.02
  const scale = Math.max(least, ((0.2 + 0.2 * random()) * HEIGHT) / h)
  const most = scale * width - WIDTH
  const between = (value: number, top: number): number => Math.max(0, Math.min(top, value))
  const left = between((x + w / 2) * scale - (0.2 + 0.6 * random()) * WIDTH, most)
  const top = between(
    (y + h / 2) * scale - (0.35 + 0.2 * random()) * HEIGHT,
    scale * height - HEIGHT,
  )
  const wanted = (random() - 0.5) * 16
  const speed =
    wanted < 0 ? Math.max(wanted, -left / seconds) : Math.min(wanted, (most - left) / seconds)
  return { photograph, scale, left: Math.floor(left), top: Math.floor(top), speed }
}

/** The faces that are seen at a time of a film, at least by their middle. */
export function facesAt({ shots }: PeopleFilm, atMs: number): readonly FaceInFilm[] {
  const shot = shots.find(({ startMs, endMs }) => atMs >= startMs && atMs < endMs)
  if (shot === undefined || !('pan' in shot)) return []
  const { photograph, scale, left, top, speed } = shot.pan
  const from = left + (speed * (atMs - shot.startMs)) / 1000
  return (photographs[photograph]?.faces ?? [])
    .map(([x, y, width, height]) => ({
      left: x * scale - from,
      top: y * scale - top,
      right: (x + width) * scale - from,
      bottom: (y + height) * scale - top,
    }))
    .filter((face) => {
      const [x, y] = [(face.left + face.right) / 2, (face.top + face.bottom) / 2]
      return x > 0 && x < WIDTH && y > 0 && y < HEIGHT
    })
}

/** Writes the film, without sound. */
export async function makePeopleFilm(
  film: PeopleFilm,
  path: string,
  scratch: string,
): Promise<void> {
  await mkdir(scratch, { recursive: true })
  const canvas = createCanvas()
  const looks = new Map<number, SceneLook>()
  const parts: Uint8Array[] = []
  for (const shot of film.shots) {
    const frames = Math.round(((shot.endMs - shot.startMs) / 1000) * RATE)
    if ('scene' in shot)
      for (let frame = 0; frame < frames; frame += 1) {
        const number = (shot.startMs / 1000) * RATE + frame
        paintScene(canvas, shot.scene, number, frame / RATE, looks)
        parts.push(Uint8Array.from(canvas.bytes))
      }
    else parts.push(await panned(shot.pan, frames))
  }
  const raw = join(scratch, 'film.yuv')
  await writeFile(raw, Buffer.concat(parts))
  await ffmpeg([
    ...`-f rawvideo -pix_fmt yuv420p -s ${WIDTH}x${HEIGHT} -r ${RATE} -i`.split(' '),
    raw,
    ...'-c:v libx264 -preset ultrafast -crf 23 -pix_fmt yuv420p'.split(' '),
    path,
  ])
}

async function panned(pan: Pan, frames: number): Promise<Uint8Array> {
  const { path = '', width = 0, height = 0 } = photographs[pan.photograph] ?? {}
  const even = (side: number): number => 2 * Math.ceil((side * pan.scale) / 2)
  const filter = `scale=${even(width)}:${even(height)},format=yuv420p,loop=-1:1,setpts=N/${RATE}/TB,crop=${WIDTH}:${HEIGHT}:'${pan.left}+${pan.speed}*t':${pan.top}`
  return await rawPictures(path, filter, { count: frames })
}
