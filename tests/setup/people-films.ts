import { open, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Size } from '#recipes/picture.ts'
import { createCanvas, paintScene, type SceneLook } from '#tests/bench/edits/corpus-paint.ts'
import { randomFrom, type Scene } from '#tests/bench/edits/scene.ts'
import { cutOutPeople } from '#tests/fixtures/cut-out-people.ts'
import { photographs } from '#tests/fixtures/photographs.ts'
import { rawPictures } from './raw-pictures.ts'
import { ffmpeg } from './render-plan.ts'
import {
  facesStanding,
  paintStanding,
  standingOf,
  type FaceInFilm,
  type Standing,
} from './standing-people.ts'

export const RATE = 25
/** A film of a camera, and one of a phone that is held upright. */
export const WIDE = { width: 320, height: 180 } as const
export const UPRIGHT = { width: 180, height: 320 } as const

/** A shot of a photograph that a camera passes over, of people or of a place without them. */
type FilmShot =
  | { readonly startMs: number; readonly endMs: number; readonly pan: Pan }
  | { readonly startMs: number; readonly endMs: number; readonly standing: Standing }
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
  readonly width: number
  readonly height: number
  readonly durationMs: number
  readonly shots: readonly FilmShot[]
}

/** How people are in a film: a camera passes over groups of them, or one or two stand before it. */
export type PeopleKind = 'groups' | 'standing'

/** How many people a film of standing ones has. */
const CAST = 3

/** @param share of the time with a face, about */
export function peopleFilm(
  seed: number,
  seconds: number,
  share: number,
  size: Size = WIDE,
  kind: PeopleKind = 'groups',
): PeopleFilm {
  const random = randomFrom(seed)
  const cast = Array.from({ length: CAST }, (_, at) => (seed * 5 + at * 4) % cutOutPeople.length)
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
      const inS = (endMs - startMs) / 1000
      const people =
        kind === 'groups'
          ? { pan: panOf(random, inS, size) }
          : { standing: standingOf(random, cast, inS, size) }
      shots.push({ startMs, endMs, ...people })
      peopleMs += endMs - startMs
    } else {
      const kinds = isFirst ? (['title'] as const) : (['lively', 'lively', 'static'] as const)
      const shown = kinds[Math.floor(random() * kinds.length)] ?? 'lively'
      const look = seed * 100 + shots.length
      shots.push({ startMs, endMs, scene: { kind: shown, startMs, endMs, look } })
    }
    atMs = endMs
  }
  return { ...size, durationMs: seconds * 1000, shots }
}

/** How high a face is: a fifth to two fifths of a wide picture, somewhat less of an upright one. */
const FACE_SHARES = { wide: [0.2, 0.4], upright: [0.16, 0.32] } as const

/** A face of a photograph somewhere in the picture. */
function panOf(random: () => number, seconds: number, size: Size): Pan {
  const photograph = Math.floor(random() * photographs.length)
  const { width, height, faces } = photographs[photograph] ?? { width: 0, height: 0, faces: [] }
  const [x, y, w, h] = faces[Math.floor(random() * faces.length)] ?? [0, 0, 1, 1]
  const least = Math.max(size.width / width, size.height / height) * 1.02
  const [low, high] = size.width > size.height ? FACE_SHARES.wide : FACE_SHARES.upright
  const scale = Math.max(least, ((low + (high - low) * random()) * size.height) / h)
  const most = scale * width - size.width
  const between = (value: number, top: number): number => Math.max(0, Math.min(top, value))
  const left = between((x + w / 2) * scale - (0.2 + 0.6 * random()) * size.width, most)
  const top = between(
    (y + h / 2) * scale - (0.35 + 0.2 * random()) * size.height,
    scale * height - size.height,
  )
  const wanted = (random() - 0.5) * 16
  const speed =
    wanted < 0 ? Math.max(wanted, -left / seconds) : Math.min(wanted, (most - left) / seconds)
  return { photograph, scale, left: Math.floor(left), top: Math.floor(top), speed }
}

/** The shot that is seen at a time of a film. */
function shotAt({ shots }: Pick<PeopleFilm, 'shots'>, atMs: number): FilmShot | undefined {
  return shots.find(({ startMs, endMs }) => atMs >= startMs && atMs < endMs)
}

/** The faces that are seen at a time of a film, at least by their middle. */
export function facesAt(film: PeopleFilm, atMs: number): readonly FaceInFilm[] {
  return allFacesAt(film, atMs).filter((face) => {
    const [x, y] = [(face.left + face.right) / 2, (face.top + face.bottom) / 2]
    return x > 0 && x < film.width && y > 0 && y < film.height
  })
}

/** Also those that the picture cuts in half or that are beside it. */
export function allFacesAt(film: PeopleFilm, atMs: number): readonly FaceInFilm[] {
  const shot = shotAt(film, atMs)
  if (shot === undefined || 'scene' in shot) return []
  const inS = (atMs - shot.startMs) / 1000
  if ('standing' in shot) return facesStanding(shot.standing, inS, film)
  const { photograph, scale, left, top, speed } = shot.pan
  const from = left + speed * inS
  return (photographs[photograph]?.faces ?? []).map(([x, y, wide, high]) => ({
    left: x * scale - from,
    top: y * scale - top,
    right: (x + wide) * scale - from,
    bottom: (y + high) * scale - top,
  }))
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
  const isUpright = film.height > film.width
  const raw = join(scratch, 'film.yuv')
  const file = await open(raw, 'w')
  for (const shot of film.shots) {
    const frames = Math.round(((shot.endMs - shot.startMs) / 1000) * RATE)
    if ('scene' in shot)
      for (let frame = 0; frame < frames; frame += 1) {
        const number = (shot.startMs / 1000) * RATE + frame
        paintScene(canvas, shot.scene, number, frame / RATE, looks)
        await file.write(isUpright ? onItsSide(canvas.bytes) : canvas.bytes)
      }
    else if ('pan' in shot) await file.write(await panned(shot.pan, frames, film))
    else
      for (const picture of await paintStanding(shot.standing, frames, film, RATE))
        await file.write(picture)
  }
  await file.close()
  await ffmpeg([
    ...`-f rawvideo -pix_fmt yuv420p -s ${film.width}x${film.height} -r ${RATE} -i`.split(' '),
    raw,
    ...'-c:v libx264 -preset ultrafast -crf 23 -pix_fmt yuv420p'.split(' '),
    path,
  ])
}

/** A picture of `WIDE` with its sides exchanged. */
function onItsSide(bytes: Uint8Array): Uint8Array {
  const turned = new Uint8Array(bytes.length)
  let from = 0
  for (const part of [1, 2, 2]) {
    const [width, height] = [WIDE.width / part, WIDE.height / part]
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1)
        turned[from + x * height + y] = bytes[from + y * width + x] ?? 0
    from += width * height
  }
  return turned
}

async function panned(pan: Pan, frames: number, size: Size): Promise<Uint8Array> {
  const { path = '', width = 0, height = 0 } = photographs[pan.photograph] ?? {}
  const even = (side: number): number => 2 * Math.ceil((side * pan.scale) / 2)
  const filter = `scale=${even(width)}:${even(height)},format=yuv420p,loop=-1:1,setpts=N/${RATE}/TB,crop=${size.width}:${size.height}:'${pan.left}+${pan.speed}*t':${pan.top}`
  return await rawPictures(path, filter, { count: frames })
}
