import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composedSource } from '#src/local/uploads/file/composed-source.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { movieIndexOf } from '#src/local/uploads/file/movie-index.ts'
import { filePlaces, type FilePlaces } from '#src/local/uploads/file/trim.ts'
import type { Trim } from '#src/local/uploads/file/trim-places.ts'
import type { ByteSource } from '#src/local/uploads/ports.ts'
import {
  clocksOf,
  movie,
  samplesOf,
  type ReadClock,
  type Sample,
  type WrittenTrack,
} from '#tests/fixtures/movies.ts'
import { atom } from '#tests/fixtures/picture-boxes.ts'

const sourceOf = (bytes: Buffer): ByteSource =>
  fileSource(new File([new Uint8Array(bytes)], 'scene.mp4', { type: 'video/mp4', lastModified: 5 }))

async function placesOf(source: ByteSource): Promise<FilePlaces | null> {
  const index = await movieIndexOf(source)
  return index.ok ? filePlaces(index.value) : null
}

interface Made {
  readonly bytes: Buffer
  readonly trim: Trim
  readonly places: FilePlaces
}

async function trimmed(whole: Buffer, wanted: Trim): Promise<Made> {
  const source = sourceOf(whole)
  const places = await placesOf(source)
  const planned = places?.plan(wanted) ?? null
  if (places === null || planned === null) throw new Error('it cannot be cut')
  expect(planned.trim).toEqual(places.snap(wanted))
  const composed = composedSource(source, planned.file)
  const bytes = await composed.read(0, composed.sizeBytes)
  if (!bytes.ok) throw new Error(bytes.error.kind)
  return { bytes: Buffer.from(bytes.value), trim: planned.trim, places }
}

const TICK_MS = 40
/** How many pictures a decoder holds back, in files that begin at 0. */
const DELAY = 5

interface Group {
  /** Pictures that are decoded behind the key and shown before it. */
  readonly leading: number
  readonly runs: readonly number[]
}

/** Groups of pictures as encoders with B pictures store them: a key, and then behind it others. */
function pictures(groups: readonly Group[], isEarly: boolean): readonly Sample[] {
  const order: { readonly place: number; readonly isKey: boolean }[] = []
  let shown = 0
  for (const [number, { leading, runs }] of groups.entries()) {
    const before = number === 0 ? 0 : leading
    order.push({ place: shown + before, isKey: true })
    for (let each = 0; each < before; each += 1) order.push({ place: shown + each, isKey: false })
    shown += before + 1
    for (const run of runs) {
      order.push({ place: shown + run, isKey: false })
      for (let each = 0; each < run; each += 1) order.push({ place: shown + each, isKey: false })
      shown += run + 1
    }
  }
  return order.map(({ place, isKey }, number) => ({
    decoded: number * TICK_MS,
    lasts: TICK_MS,
    later: (place - number + (isEarly ? 0 : DELAY)) * TICK_MS,
    isKey,
    bytes: Uint8Array.from({ length: 3 + (number % 9) }, (_, at) => number * 7 + at * 13),
  }))
}

const drawnGroups = fc.array(
  fc.record({
    leading: fc.integer({ min: 0, max: 3 }),
    runs: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 6 }),
  }),
  { minLength: 2, maxLength: 8 },
)

function soundTrack(
  timeScale: number,
  packets: number,
  waitMs: number,
  primed: number,
): WrittenTrack {
  return {
    kind: 'soun',
    timeScale,
    perChunk: 3,
    samples: Array.from({ length: packets }, (_, at) => ({
      decoded: at * 1024,
      lasts: 1024,
      later: 0,
      isKey: true,
      bytes: Uint8Array.of(at, at >> 8, 9),
    })),
    edits: [...(waitMs > 0 ? [[waitMs, -1, RATE] as const] : []), [60_000, primed, RATE]],
  }
}

const RATE = 0x10000
const key = (bytes: Uint8Array): string => Array.from(bytes).join()

/** What is shown of a track by its edit list: bytes, and seconds from the beginning. */
function shownOf(samples: readonly Sample[], { timeScale, movieScale, edits }: ReadClock) {
  const [wait, edit] = edits.length === 2 ? edits : [[0], edits[0]]
  const [lasts = 0, mediaStart = 0] = edit ?? []
  const end = mediaStart + (lasts * timeScale) / movieScale
  return samples
    .filter(({ decoded, later }) => decoded + later >= mediaStart && decoded + later < end)
    .map(({ decoded, later, bytes }) => ({
      bytes: key(bytes),
      atS: (wait?.[0] ?? 0) / movieScale + (decoded + later - mediaStart) / timeScale,
    }))
    .toSorted((one, other) => one.atS - other.atS)
}

const ofWhole = (track: WrittenTrack): ReadClock => ({
  timeScale: track.timeScale,
  movieScale: 1000,
  lasts: [0, 0, 0],
  edits: track.edits ?? [],
})

describe('a trim', () => {
  it('NOW-02 shows the pictures of its stretch at their times, from 0, and hears its sounds', async () => {
    await fc.assert(
      fc.asyncProperty(
        drawnGroups,
        fc.boolean(),
        fc.record({
          timeScale: fc.constantFrom(8000, 44_100, 48_000),
          waitMs: fc.constantFrom(0, 0, 700),
          primed: fc.constantFrom(0, 1024, 2112),
          packets: fc.integer({ min: 5, max: 150 }),
        }),
        fc.integer({ min: 0, max: 3 }),
        fc.tuple(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 0, max: 9000 })),
        async (groups, isEarly, heard, hidden, [one, other]) => {
          const start = ((isEarly ? 0 : DELAY) + hidden) * TICK_MS
          const picture: WrittenTrack = {
            kind: 'vide',
            timeScale: 1000,
            perChunk: 4,
            samples: pictures(groups, isEarly),
            edits: [[60_000, start, RATE]],
          }
          const sound = soundTrack(heard.timeScale, heard.packets, heard.waitMs, heard.primed)
          const whole = movie([picture, sound])
          const wanted = { fromMs: Math.min(one, other), toMs: Math.max(one, other) }
          const { bytes, trim, places } = await trimmed(whole, wanted)
          expect(places.startsMs).toContain(trim.fromMs)
          const [own = [], ownSound = []] = samplesOf(bytes)
          const [clock, soundClock] = clocksOf(bytes)
          const within = (each: { readonly atS: number }): boolean =>
            each.atS * 1000 > trim.fromMs - 0.5 && each.atS * 1000 < trim.toMs - 0.5
          const expected = shownOf(picture.samples, ofWhole(picture)).filter(within)
          expect(clock && shownOf(own, clock)).toEqual(
            expected.map((each) => ({
              ...each,
              atS: expect.closeTo(each.atS - trim.fromMs / 1000, 9),
            })),
          )
          expect(own[0]?.isKey).toBe(true)
          expect(clock?.edits.at(-1)?.[0]).toBe(trim.toMs - trim.fromMs)
          expect(clock?.lasts).toEqual([
            trim.toMs - trim.fromMs,
            trim.toMs - trim.fromMs,
            own.reduce((sum, { lasts }) => sum + lasts, 0),
          ])
          // All but the first have the time of decoding that the rate gives.
          expect(own.slice(1).every(({ lasts }) => lasts === TICK_MS)).toBe(true)
          const sounds = shownOf(sound.samples, ofWhole(sound)).filter(
            ({ atS }) => atS * 1000 > trim.fromMs + 1 && atS * 1000 < trim.toMs - 1,
          )
          const ownSounds = soundClock === undefined ? [] : shownOf(ownSound, soundClock)
          const tickS = 1.01 / heard.timeScale + 1 / 1000
          for (const each of sounds) {
            const found = ownSounds.find(({ bytes: name }) => name === each.bytes)
            expect(
              Math.abs((found?.atS ?? Infinity) - (each.atS - trim.fromMs / 1000)),
            ).toBeLessThan(tickS)
          }
          expect(ownSounds.length).toBeLessThanOrEqual(sounds.length + 2)
        },
      ),
    )
  })

  it('NOW-02 says about how many bytes are sent before it is made', async () => {
    const groups = Array.from({ length: 60 }, () => ({ leading: 2, runs: [2, 2, 2, 0] }))
    const samples = pictures(groups, false).map((each, number) => ({
      ...each,
      bytes: new Uint8Array(400 + (number % 50)),
    }))
    const picture: WrittenTrack = { kind: 'vide', timeScale: 1000, perChunk: 4, samples }
    const whole = movie([picture, soundTrack(48_000, 900, 0, 1024)])
    for (const wanted of [
      { fromMs: 0, toMs: 3000 },
      { fromMs: 2000, toMs: 9000 },
    ]) {
      const { bytes, places } = await trimmed(whole, wanted)
      expect(Math.abs(places.sizeOf(wanted) - bytes.length)).toBeLessThan(5_000)
      expect(bytes.length).toBeLessThan(whole.length)
    }
  })

  it('NOW-02 begins PCM with the very sample, and leaves out what is no picture and no sound', async () => {
    const entry = Buffer.alloc(28)
    entry.writeUInt16BE(1, 16)
    entry.writeUInt16BE(16, 18)
    const pcm: WrittenTrack = {
      kind: 'soun',
      timeScale: 8000,
      perChunk: 1,
      samples: Array.from({ length: 20 }, (_, at) => ({
        decoded: at * 8000,
        lasts: 8000,
        later: 0,
        isKey: true,
        bytes: Uint8Array.from({ length: 16_000 }, (_, byte) => (at * 8000 + (byte >> 1)) >> 5),
      })),
      entry: atom('sowt', entry),
      tables: {
        stts: atom('stts', 0, 1, 160_000, 1),
        stsc: atom('stsc', 0, 1, 1, 8000, 1),
        stsz: atom('stsz', 0, 2, 160_000),
      },
    }
    const groups = Array.from({ length: 20 }, () => ({ leading: 0, runs: [2, 2, 2, 1, 0] }))
    const picture: WrittenTrack = {
      kind: 'vide',
      timeScale: 1000,
      perChunk: 5,
      samples: pictures(groups, true),
    }
    const data = { ...picture, kind: 'meta' }
    const whole = movie([picture, pcm, data], atom('udta', atom('name', 'SecretPlace')))
    const { bytes, trim } = await trimmed(whole, { fromMs: 4000, toMs: 9000 })
    expect(bytes.toString('latin1')).not.toMatch(/SecretPlace/)
    const [, own = [], ...others] = samplesOf(bytes)
    expect(others).toEqual([])
    expect(own).toHaveLength((trim.toMs - trim.fromMs) * 8)
    expect(own[0]?.bytes[0]).toBe(((trim.fromMs * 8) >> 5) & 255)
    expect(clocksOf(bytes)[1]?.edits).toEqual([[trim.toMs - trim.fromMs, 0, RATE]])
  })

  it.each([
    ['another codec', [{ entry: atom('vp09', Buffer.alloc(78)) }]],
    ['two pictures', [{}, {}]],
  ])('NOW-02 is not offered of %s', async (_name, tracks) => {
    const picture: WrittenTrack = {
      kind: 'vide',
      timeScale: 1000,
      perChunk: 4,
      samples: pictures([{ leading: 0, runs: [1, 1] }], true),
    }
    const whole = movie(tracks.map((different) => ({ ...picture, ...different })))
    expect(await placesOf(sourceOf(whole))).toBeNull()
  })
})
